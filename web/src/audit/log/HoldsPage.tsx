import { Button, TextInput } from '@mantine/core';
import type { SubmitEvent } from 'react';
import { call, query } from '../../client/call.ts';
import { useDraft } from '../../ui/carried-text.ts';
import { fieldFaults } from '../../ui/field-faults.ts';
import { may } from '../../people/roles/permission-table.ts';
import { useUser } from '../../people/users/use-user.ts';
import { ChangeNotice } from '../../people/changes/ChangeNotice.tsx';
import { ProblemNotice, Notice } from '../../ui/Notice.tsx';
import { useChange } from '../../people/changes/use-change.ts';
import page from '../../ui/Page.module.css';
import { holds as words, words as audit } from './words/words.ts';
import { useQuery } from '@tanstack/react-query';
import { keepingRoutes, type Hold, type PlaceHold } from '#keeping/content/contract';
import { describeMoment } from '../../ui/relative-time.ts';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import { LoadedList } from '../../ui/LoadedList.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import { Reason, ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import unseen from '../../shell/Unseen.module.css';

const empty = { server: '', reason: '' };

/** Form to hold all content of a server, or everything; other holds are made on a request's page. */
function HoldForm() {
  const [{ server, reason }, setDraft] = useDraft('hold', empty);
  const hold = useChange((body: PlaceHold) => call(keepingRoutes.placeHold, { body }));
  if (!may(useUser(), 'hold-content').allowed) return null;
  const faults = fieldFaults(hold.error);
  const isFieldFault = Object.keys(faults).length > 0;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const name = server.trim();
    const scope = name === '' ? ({ scope: 'everything' } as const) : ({ scope: 'server', server: name } as const);
    hold.mutate({ ...scope, reason }, { onSuccess: () => setDraft(empty) });
  };
  return (
    <form className={page.form} onSubmit={submit} noValidate>
      <h2 className={page.subtitle}>{words.form}</h2>
      <ChangeNotice change={hold.data} saved={words.saved} />
      {hold.isError && !isFieldFault && <ProblemNotice error={hold.error} />}
      <TextInput
        label={words.server}
        description={words.serverNote}
        value={server}
        error={faults['server']}
        onChange={(event) => setDraft({ server: event.currentTarget.value, reason })}
        autoComplete="off"
      />
      <TextInput
        label={words.reason}
        description={words.reasonNote}
        value={reason}
        error={faults['reason']}
        onChange={(event) => setDraft({ server, reason: event.currentTarget.value })}
        autoComplete="off"
      />
      <div className={page.actions}>
        <Button type="submit" variant="default" loading={hold.isPending}>
          {words.hold}
        </Button>
      </div>
    </form>
  );
}

/** The legal holds: content protected from erasure, the way to release it, and the form for more. */
export function HoldsPage() {
  const user = useUser();
  const back = { to: '/audit', text: audit.back };
  return (
    <div className={page.stack}>
      <PageHead title={words.title} lead={words.lead} back={back} />
      {!may(user, 'read-log').allowed ? <Notice tone="warn" title={audit.reviewersOnly} /> : <Holds />}
    </div>
  );
}

const Holds = () => (
  <>
    <LoadedList query={useQuery({ ...query(keepingRoutes.listHolds), select: ({ holds }) => holds })} words={words}>
      {(holds) => <HoldTable holds={holds} />}
    </LoadedList>
    <HoldForm />
  </>
);

function HoldTable({ holds }: { holds: Hold[] }) {
  const permission = may(useUser(), 'hold-content');
  const release = useChange((id: string) => call(keepingRoutes.releaseHold, { params: { id } }));
  const state = ({ id, released, ...hold }: Hold) =>
    released ? (
      <Revealed text={words.released(describeMoment(released.at), released.by)} />
    ) : (
      <ReasonedButton permission={permission} reasonId="release-holds" isQuiet onPress={() => release.mutate(id)}>
        {words.release} <span className={unseen.unseen}>{words.scope(hold)}</span>
      </ReasonedButton>
    );
  return (
    <>
      {release.isError && <ProblemNotice error={release.error} />}
      <ChangeNotice change={release.data} />
      <Reason id="release-holds" permission={permission} />
      <DataTable
        caption={words.list}
        columns={[...columns, { head: words.state, cell: state }]}
        rows={holds}
        keyOf={({ id }) => id}
      />
    </>
  );
}

const columns: Column<Hold>[] = [
  { head: words.what, isName: true, cell: (hold) => <Revealed text={words.scope(hold)} /> },
  { head: words.reason, cell: ({ reason }) => <Revealed text={reason} /> },
  {
    head: words.placed,
    cell: ({ placed }) => placed && <Revealed text={words.placedBy(describeMoment(placed.at), placed.by)} />,
  },
];
