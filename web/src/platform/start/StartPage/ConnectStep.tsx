import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { KeyEntry } from '#access/keys/contract/key';
import { createKey } from '../../../access/keys/keys.ts';
import { keysQuery } from '../../../people/users/directory-queries.ts';
import { fieldFaults } from '../../../ui/field-faults.ts';
import { ChangeNotice } from '../../../people/changes/ChangeNotice.tsx';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import { useChange } from '../../../people/changes/use-change.ts';
import page from '../../../ui/Page.module.css';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { Snippets } from './Snippets.tsx';
import classes from '../Start.module.css';
import { Age } from '../../../ui/Moment.tsx';
import { hasKey } from './start-queries.ts';
import { Step } from './Step.tsx';
import { connect as words } from '../words/words.ts';

/** How soon the page shows that a server has called. Milliseconds. */
const lookIntervalMs = 5_000;

/** Which server called last, as the sign that what was pasted works. */
function formatCalled(keys: KeyEntry[]) {
  const used = keys.flatMap(({ server, lastUsedAt, revokedAt }) =>
    lastUsedAt === null || revokedAt !== null ? [] : [{ name: server.name, at: lastUsedAt }],
  );
  const [last] = used.toSorted((first, other) => other.at - first.at);
  return last === undefined ? null : (
    <>
      {words.connected(last.name)} <Age at={last.at} />
    </>
  );
}

/** A key for the first server, and what to paste with the key in it. */
export function ConnectStep({ place }: { place: number }) {
  const [server, setServer] = useState('my-server');
  const create = useChange(() => createKey({ server: server.trim() }), { queries: [['directory']] });
  const fault = fieldFaults(create.error)['server'];
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <Step
      place={place}
      words={words}
      query={useQuery({ ...keysQuery, refetchInterval: lookIntervalMs })}
      isDone={hasKey}
      result={formatCalled}
    >
      {() => (
        <>
          {create.isError && fault === undefined && <ProblemNotice error={create.error} />}
          <form onSubmit={onSubmit} className={classes.key} noValidate>
            <TextInput
              label={words.server}
              value={server}
              error={fault}
              onChange={(event) => setServer(event.currentTarget.value)}
              autoComplete="off"
            />
            <Button type="submit" variant={create.data ? 'default' : 'filled'} loading={create.isPending}>
              {create.data ? words.another : words.create}
            </Button>
          </form>
          <ChangeNotice change={create.data} />
          {create.data && <NewKey server={create.data.server} value={create.data.key} />}
          <Snippets
            key={create.data?.key}
            first={create.data ? 'claude' : 'typescript'}
            connection={{
              url: location.origin,
              key: create.data?.key ?? 'asn_…',
              server: create.data?.server ?? server.trim(),
            }}
          />
        </>
      )}
    </Step>
  );
}

/** The key itself: most of the code to paste does not hold it. */
const NewKey = ({ server, value }: { server: string; value: string }) => (
  <div className={classes.made}>
    <p role="status" className={page.small}>
      {words.shownOnce(server)}
    </p>
    <div className={classes.key}>
      <TextInput label={words.key} readOnly value={value} onFocus={(event) => event.currentTarget.select()} />
      <CopyButton text={value} />
    </div>
  </div>
);
