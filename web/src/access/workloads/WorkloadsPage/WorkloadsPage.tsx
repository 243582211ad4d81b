import { queryOptions, useQuery } from '@tanstack/react-query';
import type { WorkloadEntry, WorkloadList } from '#access/workloads/contract';
import { readWorkloads, removeWorkload } from './workloads.ts';
import { may } from '../../../people/roles/permission-table.ts';
import { useSpacesWith } from '../../../people/spaces/spaces/space-permission.ts';
import { useUser } from '../../../people/users/use-user.ts';
import { DataTable } from '../../../ui/DataTable.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Age } from '../../../ui/Moment.tsx';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import page from '../../../ui/Page.module.css';
import { PageHead } from '../../../ui/PageHead.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import classes from '../../../settings/Users.module.css';
import { ConfirmedButton } from '../../../settings/ConfirmedButton.tsx';
import { useSave } from '../../../settings/use-save.ts';
import { NewWorkloadForm } from './NewWorkloadForm.tsx';
import { workloads as words } from '../words/words.ts';

const workloadsQuery = queryOptions({
  queryKey: ['directory', 'workloads'],
  queryFn: ({ signal }) => readWorkloads(signal),
});

/** Who asks as a server without a key: for those who change keys, everywhere or in a space. */
export function WorkloadsPage() {
  const everywhere = may(useUser(), 'change-keys');
  const isInSpace = useSpacesWith('change-keys').length > 0;
  const isAllowed = everywhere.allowed || isInSpace;
  const query = useQuery({ ...workloadsQuery, enabled: isAllowed });
  return (
    <div className={page.stack}>
      <PageHead title={words.title} lead={words.lead} />
      {isAllowed ? (
        <Loaded query={query}>{(list) => <Workloads list={list} />}</Loaded>
      ) : (
        <p className={page.small}>{everywhere.reason}</p>
      )}
    </div>
  );
}

const Workloads = ({ list: { workloads, issuers } }: { list: WorkloadList }) => (
  <>
    {workloads.length === 0 ? <NoWorkloads /> : <WorkloadTable workloads={workloads} />}
    {issuers.length === 0 ? <p className={page.soft}>{words.noIssuers}</p> : <NewWorkloadForm issuers={issuers} />}
  </>
);

const NoWorkloads = () => (
  <div className={page.empty}>
    <h2 className={page.subtitle}>{words.empty}</h2>
    <p>{words.emptyNote}</p>
  </div>
);

function WorkloadTable({ workloads }: { workloads: WorkloadEntry[] }) {
  const remove = useSave(removeWorkload, words.removed);
  return (
    <>
      {remove.isError && <ProblemNotice error={remove.error} />}
      <DataTable
        caption={words.title}
        columns={[
          { head: words.subject, isName: true, isLong: true, cell: (entry) => <Subject entry={entry} /> },
          { head: words.server, cell: ({ server }) => <Revealed text={server.name} /> },
          { head: words.issuer, isLong: true, cell: (entry) => <Issuer entry={entry} /> },
          { head: words.made, cell: ({ createdAt }) => <Age at={createdAt} /> },
          { head: words.maker, cell: ({ maker }) => <Revealed text={maker?.name ?? words.operator} /> },
          {
            head: words.used,
            cell: ({ lastUsedAt }) => (lastUsedAt === null ? words.never : <Age at={lastUsedAt} />),
          },
          {
            head: words.state,
            cell: (entry) => (
              <RemoveStep
                entry={entry}
                isSending={remove.isPending && remove.variables === entry.kid}
                onRemove={() => remove.mutate(entry.kid)}
              />
            ),
          },
        ]}
        rows={workloads}
        keyOf={({ kid }) => kid}
      />
    </>
  );
}

interface OfWorkload {
  entry: WorkloadEntry;
}

/** With the other claims that its tokens must have. */
const Subject = ({ entry: { subject, claims } }: OfWorkload) => (
  <>
    <Revealed text={subject} />
    {Object.entries(claims).map(([name, text]) => (
      <span key={name} className={classes.second}>
        <Revealed text={`${name}=${text}`} />
      </span>
    ))}
  </>
);

const Issuer = ({ entry: { issuer, audience } }: OfWorkload) => (
  <>
    <Revealed text={issuer} />
    <span className={classes.second}>
      <Revealed text={audience} />
    </span>
  </>
);

interface RemoveStepProps extends OfWorkload {
  isSending: boolean;
  onRemove: () => void;
}

function RemoveStep({ entry: { subject, removedAt, maker }, isSending, onRemove }: RemoveStepProps) {
  if (removedAt !== null)
    return (
      <span>
        {words.isRemoved} <Age at={removedAt} />
      </span>
    );
  const { remove: act, removeNote: note, confirm, keep } = words;
  return (
    <div className={classes.steps}>
      {maker?.disabled && <Revealed text={words.isOff(maker.name)} />}
      <ConfirmedButton name={subject} words={{ act, note, confirm, keep }} isSending={isSending} onConfirm={onRemove} />
    </div>
  );
}
