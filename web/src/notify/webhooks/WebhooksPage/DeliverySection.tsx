import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { NotificationEntry } from '#notify/webhooks/contract/webhooks';
import { deliveryFault } from '#notify/contract/delivery-fault';
import { replayNotifications } from '../webhooks.ts';
import { failedQuery, webhookCallsQuery } from '../../../people/users/directory-queries.ts';
import { DataTable } from '../../../ui/DataTable.tsx';
import { LoadedList } from '../../../ui/LoadedList.tsx';
import { Age } from '../../../ui/Moment.tsx';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import page from '../../../ui/Page.module.css';
import { allowed, ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import unseen from '../../../shell/Unseen.module.css';
import classes from '../../../settings/Users.module.css';
import { useSave } from '../../../settings/use-save.ts';
import { deliveries as words } from '../../../settings/words/words.ts';

/** The latest calls of webhooks; or what was given up on every channel, which can be sent again. */
export function DeliverySection() {
  const [isFailed, setIsFailed] = useState(false);
  const query = useQuery(isFailed ? failedQuery : webhookCallsQuery);
  return (
    <section className={classes.part} aria-labelledby="deliveries">
      <h2 id="deliveries" className={page.subtitle}>
        {words.title}
      </h2>
      <NativeSelect
        label={words.show}
        className={classes.narrow}
        value={isFailed ? 'failed' : 'latest'}
        data={[
          { value: 'latest', label: words.latest },
          { value: 'failed', label: words.failed },
        ]}
        onChange={({ currentTarget: { value } }) => setIsFailed(value === 'failed')}
      />
      <LoadedList query={query} words={isFailed ? words.noneFailed : words.none}>
        {(entries) => <DeliveryTable entries={entries} />}
      </LoadedList>
    </section>
  );
}

function DeliveryTable({ entries }: { entries: NotificationEntry[] }) {
  const replay = useSave(replayNotifications, words.replayed);
  const failed = entries.filter(({ state }) => state === 'failed');
  const state = (entry: NotificationEntry) => (
    <div className={classes.steps}>
      <span>
        {words.state(entry)}
        <DeliveryAdvice code={entry.state === 'sent' || entry.state === 'moot' ? null : entry.fault} />
      </span>
      {entry.state === 'failed' && (
        <ReasonedButton {...allowed} isQuiet onPress={() => replay.mutate([entry.id])}>
          {words.replay} <span className={unseen.unseen}>{entry.to.name}</span>
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
            {words.replayAll(failed.length)}
          </ReasonedButton>
        </div>
      )}
      <DataTable
        caption={words.title}
        columns={[...columns, { head: words.status, cell: state }]}
        rows={entries}
        keyOf={({ id }) => id}
      />
    </>
  );
}

function DeliveryAdvice({ code }: { code: string | null }) {
  const fault = code === null ? null : deliveryFault(code);
  return fault && <span className={classes.second}>{words.todo[fault]}</span>;
}

const columns = [
  {
    head: words.to,
    isName: true,
    cell: ({ to, channel }: NotificationEntry) => (
      <>
        <Revealed text={to.name || words.gone} />
        <span className={classes.second}>{words.channels[channel]}</span>
      </>
    ),
  },
  {
    head: words.about,
    cell: ({ kind, request }: NotificationEntry) =>
      request === null ? words.kinds[kind] : <Link to={`/requests/${request}`}>{words.kinds[kind]}</Link>,
  },
  { head: words.at, cell: ({ createdAt }: NotificationEntry) => <Age at={createdAt} /> },
];
