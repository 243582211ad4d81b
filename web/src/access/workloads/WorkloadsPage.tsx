import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ServerEntry } from '#people/users/contract';
import { useDraft } from '../../ui/carried-text.ts';
import { serversQuery } from '../../people/users/directory-queries.ts';
import { faultIn, fieldFaults } from '../../ui/field-faults.ts';
import { useMayIn, useSpacesWith } from '../../people/spaces/spaces.ts';
import { ChangeNotice } from '../../people/changes/ChangeNotice.tsx';
import page from '../../ui/Page.module.css';
import { allowed, ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { SavingForm } from '../../settings/SavingForm.tsx';
import { useSave } from '../../settings/use-save.ts';
import { workloads as words } from './words/words.ts';
import { workloadRoutes, type WorkloadList, type WorkloadEntry } from '#access/workloads/contract';
import { call, query } from '../../client/call.ts';
import { may } from '../../people/roles/permission-table.ts';
import { useUser } from '../../people/users/use-user.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Age } from '../../ui/Moment.tsx';
import { ProblemNotice } from '../../ui/Notice.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import classes from '../../settings/Users.module.css';
import { ConfirmedButton } from '../../settings/ConfirmedButton.tsx';

interface NewWorkloadFormProps {
  issuers: string[];
}

/** Binds a workload to one of the servers whose keys this person may change. */
function NewWorkloadForm({ issuers }: NewWorkloadFormProps) {
  const mayIn = useMayIn('change-keys');
  const servers = (useQuery(serversQuery).data ?? []).filter(({ space }) => mayIn(space).allowed);
  if (servers.length === 0) return <p className={page.soft}>{words.noServers}</p>;
  return <Form issuers={issuers} servers={servers} />;
}

const empty = { server: '', issuer: '', audience: '', subject: '', claims: '' };

function Form({ issuers, servers }: NewWorkloadFormProps & { servers: ServerEntry[] }) {
  const [draft, setDraft] = useDraft('new-workload', empty);
  const { claims, wrong } = readClaims(draft.claims);
  const { server = servers[0]?.id ?? '', issuer = issuers[0] ?? '' } = chosenIn(draft);
  const create = useSave(
    () =>
      call(workloadRoutes.addWorkload, {
        params: { id: server },
        body: { issuer, audience: draft.audience.trim(), subject: draft.subject.trim(), claims },
      }),
    words.added,
  );
  const faults = fieldFaults(create.error);
  const fieldOf = (key: keyof typeof empty) => ({
    value: draft[key],
    error: faults[key],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setDraft({ ...draft, [key]: value }),
    autoComplete: 'off',
    spellCheck: false,
  });
  const press = () => wrong === null && create.mutate(undefined, { onSuccess: () => setDraft(empty) });
  return (
    <SavingForm title={words.newTitle} error={create.error} onPress={press}>
      <ChangeNotice change={create.data} />
      <NativeSelect
        {...fieldOf('server')}
        label={words.forServer}
        value={server}
        data={servers.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <NativeSelect {...fieldOf('issuer')} label={words.forIssuer} value={issuer} data={issuers} />
      <TextInput {...fieldOf('audience')} label={words.audience} description={words.audienceNote} />
      <TextInput {...fieldOf('subject')} label={words.forSubject} description={words.subjectNote} />
      <Textarea
        {...fieldOf('claims')}
        label={words.claims}
        description={words.claimsNote}
        error={wrong === null ? faultIn(faults, 'claims') : words.wrongClaim(wrong)}
        autosize
      />
      <div className={page.actions}>
        <ReasonedButton {...allowed} isSending={create.isPending} onPress={press}>
          {words.add}
        </ReasonedButton>
      </div>
    </SavingForm>
  );
}

/** Choices of the form; the first of each list until the person chooses. */
const chosenIn = ({ server, issuer }: typeof empty): { server?: string; issuer?: string } => ({
  ...(server !== '' && { server }),
  ...(issuer !== '' && { issuer }),
});

interface Claims {
  claims: Record<string, string>;
  /** The first line that is no claim; null if all are. */
  wrong: string | null;
}

/** The claims in a text with one a line, as `name=text`; empty lines are ignored. */
export function readClaims(text: string): Claims {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const pairs = lines.map((line): [string, string] => {
    const [name = '', ...rest] = line.split('=');
    return [name.trim(), rest.join('=').trim()];
  });
  const wrong = lines.find((_line, at) => pairs[at]?.includes('') || isTwice(pairs, at)) ?? null;
  return { claims: Object.fromEntries(pairs), wrong: wrong && wrong.trim() };
}

/** Is it a repeated name? The later line would silently replace the earlier one. */
const isTwice = (pairs: readonly [string, string][], at: number): boolean =>
  pairs.findIndex(([name]) => name === pairs[at]?.[0]) < at;

/** Workloads that ask as servers without a key: for people who change keys, everywhere or in a space. */
export function WorkloadsPage() {
  const everywhere = may(useUser(), 'change-keys');
  const isInSpace = useSpacesWith('change-keys').length > 0;
  const isAllowed = everywhere.allowed || isInSpace;
  const list = useQuery({ ...query(workloadRoutes.listWorkloads), enabled: isAllowed });
  return (
    <div className={page.stack}>
      <PageHead title={words.title} lead={words.lead} />
      {isAllowed ? (
        <Loaded query={list}>{(answer) => <Workloads list={answer} />}</Loaded>
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
  const remove = useSave((kid: string) => call(workloadRoutes.removeWorkload, { params: { kid } }), words.removed);
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

/** The subject, with the other required claims of its tokens. */
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
