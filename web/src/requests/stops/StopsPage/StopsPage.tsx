import { useQuery } from '@tanstack/react-query';
import type { Stop } from '#requests/stops/contract/stops';
import { liftStop } from '../stops.ts';
import { serversQuery, stopsQuery } from '../../../people/users/directory-queries.ts';
import { shared } from '../../../language/language.ts';
import { useMayIn } from '../../../people/spaces/spaces.ts';
import { useUser } from '../../../people/users/use-user.ts';
import { DataTable, type Column } from '../../../ui/DataTable.tsx';
import { LoadedList } from '../../../ui/LoadedList.tsx';
import { Age } from '../../../ui/Moment.tsx';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import page from '../../../ui/Page.module.css';
import { PageHead } from '../../../ui/PageHead.tsx';
import { ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import unseen from '../../../shell/Unseen.module.css';
import classes from '../../../settings/Users.module.css';
import { ChangeNotice } from '../../../people/changes/ChangeNotice.tsx';
import { useSave } from '../../../settings/use-save.ts';
import { stops as words } from '../../../settings/words/words.ts';
import { StopForm } from './StopForm.tsx';

/** The kill switch: what is stopped, the way to lift it, and the form that stops more. */
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
  const lift = useSave(liftStop, words.lifted);
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
