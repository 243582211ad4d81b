import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { Webhook } from '#notify/webhooks/contract/webhooks';
import { removeWebhook, testWebhook } from '../webhooks.ts';
import { webhooksQuery } from '../../../people/users/directory-queries.ts';
import { may } from '../../../people/roles/permission-table.ts';
import { useUser } from '../../../people/users/use-user.ts';
import { DataTable } from '../../../ui/DataTable.tsx';
import { LoadedList } from '../../../ui/LoadedList.tsx';
import { Age } from '../../../ui/Moment.tsx';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import page from '../../../ui/Page.module.css';
import { PageHead } from '../../../ui/PageHead.tsx';
import { allowed, Reason, ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import unseen from '../../../shell/Unseen.module.css';
import classes from '../../../settings/Users.module.css';
import { ConfirmedButton } from '../../../settings/ConfirmedButton.tsx';
import { useSave } from '../../../settings/use-save.ts';
import { webhooks as words } from '../../../settings/words/words.ts';
import { DeliverySection } from './DeliverySection.tsx';
import { WebhookForm } from './WebhookForm.tsx';
import { formatName } from './format-name.ts';

/** The programs that are told of requests, what they were told, and what could not be sent to anyone. */
export function WebhooksPage() {
  const permission = may(useUser(), 'change-webhooks');
  const id = useId();
  return (
    <div className={page.stack}>
      <PageHead title={words.title} lead={words.lead} />
      <Reason id={id} permission={permission} />
      {permission.allowed && <Webhooks />}
    </div>
  );
}

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
  const test = useSave(testWebhook, words.tested);
  const remove = useSave(removeWebhook, words.removed);
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
