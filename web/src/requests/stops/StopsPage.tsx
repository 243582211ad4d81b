import { useQuery } from '@tanstack/react-query';
import { stopRoutes, type Stop } from '#requests/stops/contract/stops';
import { call } from '../../client/call.ts';
import { serversQuery, stopsQuery } from '../../people/users/directory-queries.ts';
import { shared } from '../../language/language.ts';
import { useMayIn } from '../../people/spaces/spaces.ts';
import { useUser } from '../../people/users/use-user.ts';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import { LoadedList } from '../../ui/LoadedList.tsx';
import { Age } from '../../ui/Moment.tsx';
import { ProblemNotice, Notice } from '../../ui/Notice.tsx';
import page from '../../ui/Page.module.css';
import { PageHead } from '../../ui/PageHead.tsx';
import { ReasonedButton, Reason } from '../../ui/ReasonedButton.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import unseen from '../../shell/Unseen.module.css';
import classes from '../../settings/Users.module.css';
import { ChangeNotice } from '../../people/changes/ChangeNotice.tsx';
import { useSave } from '../../settings/use-save.ts';
import { stops as words } from '../../settings/words/words.ts';
import { NativeSelect, TextInput } from '@mantine/core';
import { useId } from 'react';
import { useSearchParams } from 'react-router';
import { useDraft } from '../../ui/carried-text.ts';
import { fieldFaults, textFields } from '../../ui/field-faults.ts';
import { mayOfOwn } from '../../people/roles/permission-table.ts';
import { SavingForm } from '../../settings/SavingForm.tsx';

/** The kill switch: current stops, the way to lift them, and the form for more. */
export function StopsPage() {
  return (
    <div className={page.stack}>
      <PageHead title={words.title} lead={words.lead} />
      <LoadedList query={useQuery(stopsQuery)} words={words}>
        {(stops) => <Stops stops={stops} />}
      </LoadedList>
      <StopForm />
    </div>
  );
}

function Stops({ stops }: { stops: Stop[] }) {
  const me = useUser();
  const lift = useSave((id: string) => call(stopRoutes.liftStop, { params: { id } }), words.lifted);
  const mayStop = useMayIn('stop-calls');
  const servers = useQuery(serversQuery).data ?? [];
  const permissionFor = ({ by, server }: Stop) => {
    const permission = mayStop(servers.find(({ name }) => name === server)?.space);
    return permission.allowed && by?.id === me?.id
      ? { allowed: false, reason: shared.refusals['lift-by-other'] }
      : permission;
  };
  const state = (stop: Stop) =>
    stop.lifted ? (
      <Revealed text={words.liftedBy(stop.lifted.by?.name ?? words.operator)} />
    ) : (
      <div className={classes.steps}>
        <ReasonedButton
          permission={permissionFor(stop)}
          reasonId={`lift-${stop.id}`}
          isQuiet
          onPress={() => lift.mutate(stop.id)}
        >
          {words.lift} <span className={unseen.unseen}>{scopeOf(stop)}</span>
        </ReasonedButton>
        {permissionFor(stop).reason !== null && (
          <span id={`lift-${stop.id}`} className={classes.second}>
            {permissionFor(stop).reason}
          </span>
        )}
      </div>
    );
  return (
    <>
      {lift.isError && <ProblemNotice error={lift.error} />}
      <ChangeNotice change={lift.data} />
      <DataTable
        caption={words.list}
        columns={[...columns, { head: words.steps, cell: state }]}
        rows={stops}
        keyOf={({ id }) => id}
      />
    </>
  );
}

const columns: Column<Stop>[] = [
  {
    head: words.what,
    isName: true,
    cell: (stop) => (
      <>
        <Revealed text={scopeOf(stop)} />
        {stop.tool !== null && stop.server !== null && (
          <span className={classes.second}>
            <Revealed text={words.of(stop.server)} />
          </span>
        )}
        <span className={classes.second}>
          <Revealed text={stop.reason} />
        </span>
      </>
    ),
  },
  {
    head: words.by,
    cell: ({ by, at }) => (
      <div>
        <Revealed text={by?.name ?? words.operator} />
        <span className={classes.second}>
          <Age at={at} />
        </span>
      </div>
    ),
  },
];

const scopeOf = ({ tool, server }: Stop): string => tool ?? (server === null ? words.everything : words.allOf(server));

const empty = { server: '', tool: '', reason: '' };

/** Form to stop a tool, a server or everything: the button names it. */
function StopForm() {
  const me = useUser();
  const servers = useQuery(serversQuery).data ?? [];
  const [search] = useSearchParams();
  const named = { server: search.get('server') ?? '', tool: search.get('tool') ?? '' };
  const [draft, setDraft] = useDraft('stop', { ...empty, ...named }, search.toString());
  const server = servers.find(({ name }) => name === draft.server);
  const inSpace = useMayIn('stop-calls')(server?.space);
  const permission = inSpace.allowed ? inSpace : mayOfOwn(me, 'stop-calls', server?.ownerId ?? null);
  const stop = useSave(() => call(stopRoutes.makeStop, { body: requestOf(draft) }), words.saved);
  const field = textFields(draft, (part) => setDraft({ ...draft, ...part }), fieldFaults(stop.error));
  const id = useId();
  const press = () => stop.mutate(undefined, { onSuccess: () => setDraft(empty) });
  return (
    <SavingForm title={words.form} error={stop.error} onPress={press}>
      {stop.data && <Notice tone="good" title={words.stopped(stop.data.ended)} />}
      <NativeSelect
        label={words.server}
        {...field('server')}
        data={[
          { value: '', label: words.everyServer },
          ...[...new Set([...servers.map(({ name }) => name), named.server])]
            .filter((name) => name !== '')
            .map((name) => ({ value: name, label: name })),
        ]}
      />
      <TextInput label={words.tool} description={words.toolNote} {...field('tool')} autoComplete="off" />
      <TextInput label={words.reason} description={words.reasonNote} {...field('reason')} autoComplete="off" />
      <p className={page.soft}>{words.consequence}</p>
      <div className={page.actions}>
        <ReasonedButton permission={permission} reasonId={id} isSending={stop.isPending} onPress={press}>
          {words.stop(draft.tool.trim(), draft.server)}
        </ReasonedButton>
      </div>
      <Reason id={id} permission={permission} />
    </SavingForm>
  );
}

const requestOf = ({ server, tool, reason }: typeof empty) => ({
  ...(server !== '' && { server }),
  ...(tool.trim() !== '' && { tool: tool.trim() }),
  reason,
});
