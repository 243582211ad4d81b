import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  webhookRoutes,
  type Webhook,
  type NotificationEntry,
  type NewWebhook,
} from '#notify/webhooks/contract/webhooks';
import { call } from '../../client/call.ts';
import { webhooksQuery, failedQuery, webhookCallsQuery } from '../../people/users/directory-queries.ts';
import { OperatorsPage } from '../../settings/OperatorsPage.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { LoadedList } from '../../ui/LoadedList.tsx';
import { Age } from '../../ui/Moment.tsx';
import { ProblemNotice } from '../../ui/Notice.tsx';
import page from '../../ui/Page.module.css';
import { allowed, ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import unseen from '../../shell/Unseen.module.css';
import classes from '../../settings/Users.module.css';
import { ConfirmedButton } from '../../settings/ConfirmedButton.tsx';
import { useSave } from '../../settings/use-save.ts';
import { webhooks as words, deliveries as deliverySectionWords } from '../../settings/words/words.ts';
import { NativeSelect, TextInput } from '@mantine/core';
import { Link } from 'react-router';
import { deliveryFault } from '#notify/contract/delivery-fault';
import { factsOf, webhookFormats, type WebhookFormat } from '#notify/chat/contract';
import type { WebhookManner } from '#notify/webhooks/contract/webhook';
import { languages } from '#platform/text/language';
import { fieldFaults, textFields } from '../../ui/field-faults.ts';
import { ChangeNotice } from '../../people/changes/ChangeNotice.tsx';
import { shell } from '../../ui/words/words.ts';
import { ShownOnce } from '../../settings/ShownOnce.tsx';
import { SavingForm } from '../../settings/SavingForm.tsx';

/** Receivers of webhooks, their deliveries, and failed deliveries of every channel. */
export const WebhooksPage = () => (
  <OperatorsPage title={words.title} lead={words.lead}>
    <Webhooks />
  </OperatorsPage>
);

function Webhooks() {
  return (
    <>
      <LoadedList query={useQuery(webhooksQuery)} words={words}>
        {(webhooks) => <WebhookTable webhooks={webhooks} />}
      </LoadedList>
      <WebhookForm />
      <DeliverySection />
    </>
  );
}

function WebhookTable({ webhooks }: { webhooks: Webhook[] }) {
  const test = useSave((id: string) => call(webhookRoutes.testWebhook, { params: { id } }), words.tested);
  const remove = useSave((id: string) => call(webhookRoutes.removeWebhook, { params: { id } }), words.removed);
  const failed = test.error ?? remove.error;
  return (
    <>
      {failed !== null && <ProblemNotice error={failed} />}
      <DataTable
        caption={words.title}
        columns={[
          { head: words.receiver, isName: true, cell: ({ host }) => <Revealed text={host || words.unreadable} /> },
          { head: words.format, cell: ({ format }) => (format === null ? words.unreadable : formatName(format)) },
          { head: words.added, cell: ({ addedAt }) => <Age at={addedAt} /> },
          {
            head: words.steps,
            cell: (webhook) => (
              <div className={classes.steps}>
                <ReasonedButton {...allowed} isQuiet onPress={() => test.mutate(webhook.id)}>
                  {words.test} <span className={unseen.unseen}>{webhook.host}</span>
                </ReasonedButton>
                <RemoveStep webhook={webhook} onRemove={() => remove.mutate(webhook.id)} />
              </div>
            ),
          },
        ]}
        rows={webhooks}
        keyOf={({ id }) => id}
      />
    </>
  );
}

function RemoveStep({ webhook: { host }, onRemove }: { webhook: Webhook; onRemove: () => void }) {
  const { remove: act, removeNote: note, confirm, keep } = words;
  return <ConfirmedButton name={host} words={{ act, note, confirm, keep }} onConfirm={onRemove} />;
}

/** The latest calls of webhooks; or failed deliveries of every channel, which can be sent again. */
function DeliverySection() {
  const [isFailed, setIsFailed] = useState(false);
  const query = useQuery(isFailed ? failedQuery : webhookCallsQuery);
  return (
    <section className={classes.part} aria-labelledby="deliveries">
      <h2 id="deliveries" className={page.subtitle}>
        {deliverySectionWords.title}
      </h2>
      <NativeSelect
        label={deliverySectionWords.show}
        className={classes.narrow}
        value={isFailed ? 'failed' : 'latest'}
        data={[
          { value: 'latest', label: deliverySectionWords.latest },
          { value: 'failed', label: deliverySectionWords.failed },
        ]}
        onChange={({ currentTarget: { value } }) => setIsFailed(value === 'failed')}
      />
      <LoadedList query={query} words={isFailed ? deliverySectionWords.noneFailed : deliverySectionWords.none}>
        {(entries) => <DeliveryTable entries={entries} />}
      </LoadedList>
    </section>
  );
}

function DeliveryTable({ entries }: { entries: NotificationEntry[] }) {
  const replay = useSave(
    (ids: string[]) => call(webhookRoutes.replayNotifications, { body: { ids } }),
    deliverySectionWords.replayed,
  );
  const failed = entries.filter(({ state }) => state === 'failed');
  const state = (entry: NotificationEntry) => (
    <div className={classes.steps}>
      <span>
        {deliverySectionWords.state(entry)}
        <DeliveryAdvice code={entry.state === 'sent' || entry.state === 'moot' ? null : entry.fault} />
      </span>
      {entry.state === 'failed' && (
        <ReasonedButton {...allowed} isQuiet onPress={() => replay.mutate([entry.id])}>
          {deliverySectionWords.replay} <span className={unseen.unseen}>{entry.to.name}</span>
        </ReasonedButton>
      )}
    </div>
  );
  return (
    <>
      {replay.isError && <ProblemNotice error={replay.error} />}
      {failed.length > 1 && (
        <div className={page.actions}>
          <ReasonedButton {...allowed} onPress={() => replay.mutate(failed.map(({ id }) => id))}>
            {deliverySectionWords.replayAll(failed.length)}
          </ReasonedButton>
        </div>
      )}
      <DataTable
        caption={deliverySectionWords.title}
        columns={[...columns, { head: deliverySectionWords.status, cell: state }]}
        rows={entries}
        keyOf={({ id }) => id}
      />
    </>
  );
}

function DeliveryAdvice({ code }: { code: string | null }) {
  const fault = code === null ? null : deliveryFault(code);
  return fault && <span className={classes.second}>{deliverySectionWords.todo[fault]}</span>;
}

const columns = [
  {
    head: deliverySectionWords.to,
    isName: true,
    cell: ({ to, channel }: NotificationEntry) => (
      <>
        <Revealed text={to.name || deliverySectionWords.gone} />
        <span className={classes.second}>{deliverySectionWords.channels[channel]}</span>
      </>
    ),
  },
  {
    head: deliverySectionWords.about,
    cell: ({ kind, request }: NotificationEntry) =>
      request === null ? (
        deliverySectionWords.kinds[kind]
      ) : (
        <Link to={`/requests/${request}`}>{deliverySectionWords.kinds[kind]}</Link>
      ),
  },
  { head: deliverySectionWords.at, cell: ({ createdAt }: NotificationEntry) => <Age at={createdAt} /> },
];

interface Draft extends WebhookManner {
  url: string;
  key: string;
}

const empty: Draft = { url: '', format: 'standard', language: 'en', key: '' };

/** Adds a receiver; its secret is shown once. */
function WebhookForm() {
  const [draft, setDraft] = useState<Draft>(empty);
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const add = useSave(() => call(webhookRoutes.addWebhook, { body: webhookOf(draft) }), words.saved);
  const field = textFields(draft, change, fieldFaults(add.error));
  const press = () => add.mutate(undefined, { onSuccess: () => setDraft(empty) });
  const secret = add.data?.secret ?? null;
  return (
    <SavingForm title={words.form} error={add.error} onPress={press}>
      {secret !== null && (
        <ShownOnce title={words.secretTitle} note={words.secretNote} label={words.secret} value={secret} />
      )}
      <ChangeNotice change={add.data} />
      <TextInput label={words.url} description={words.urlNote} {...field('url')} autoComplete="off" />
      <MannerFields draft={draft} field={field} onChange={change} />
      <div className={page.actions}>
        <ReasonedButton {...allowed} isSending={add.isPending} onPress={press}>
          {words.add}
        </ReasonedButton>
      </div>
    </SavingForm>
  );
}

interface MannerFieldsProps {
  draft: Draft;
  field: ReturnType<typeof textFields<Draft>>;
  onChange: (part: Partial<Draft>) => void;
}

/** Format of the receiver, and fields that only some formats need. */
function MannerFields({ draft, field, onChange }: MannerFieldsProps) {
  return (
    <>
      <NativeSelect
        label={words.format}
        value={draft.format}
        data={webhookFormats.map((value) => ({ value, label: formatName(value) }))}
        onChange={({ currentTarget: { value } }) =>
          onChange({ format: webhookFormats.find((format) => format === value) ?? draft.format })
        }
      />
      {factsOf(draft.format).hasLanguage && (
        <NativeSelect
          label={words.language}
          value={draft.language}
          data={languages.map((value) => ({ value, label: shell.languages[value] }))}
          onChange={({ currentTarget: { value } }) =>
            onChange({ language: languages.find((language) => language === value) ?? draft.language })
          }
        />
      )}
      {factsOf(draft.format).key && (
        <TextInput label={words.key} description={words.keyNote} {...field('key')} autoComplete="off" />
      )}
    </>
  );
}

const webhookOf = ({ key, ...draft }: Draft): NewWebhook => ({
  ...draft,
  url: draft.url.trim(),
  ...(factsOf(draft.format).key && { key: key.trim() }),
});

/** Name of a format: that of the product, or else words of the language. */
function formatName(format: WebhookFormat): string {
  const formats: Partial<Record<WebhookFormat, string>> = words.formats;
  return factsOf(format).label ?? formats[format] ?? format;
}
