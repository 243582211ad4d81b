import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { Webhook } from '#protocol/contract/console/webhook';
import { removeWebhook, testWebhook } from '../../../api/webhooks.ts';
import { webhooksQuery } from '../../../lib/directory-queries.ts';
import { may } from '../../../lib/permission-table.ts';
import { useUser } from '../../../lib/use-user.ts';
import { DataTable } from '../../../ui/DataTable.tsx';
import { LoadedList } from '../../../ui/LoadedList.tsx';
import { Age } from '../../../ui/Moment.tsx';
import { ProblemNotice } from '../../../ui/Notice.tsx';
import page from '../../../ui/page/Page.module.css';
import { PageHead } from '../../../ui/page/PageHead.tsx';
import { allowed, Reason, ReasonedButton } from '../../../ui/ReasonedButton.tsx';
import { Revealed } from '../../../ui/Revealed.tsx';
import unseen from '../../../ui/Unseen.module.css';
import classes from '../Users.module.css';
import { ConfirmedButton } from '../ConfirmedButton.tsx';
import { useSave } from '../use-save.ts';
import { webhooks as words } from '../words/words.ts';
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
