import { NativeSelect, TextInput, Checkbox } from '@mantine/core';
import { useQuery, queryOptions } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { usersRoutes, type ServerEntry } from '#people/users/contract';
import { call, query } from '../../client/call.ts';
import { usersQuery, serversQuery } from '../../people/users/directory-queries.ts';
import { hasWords } from '../../shell/words/has-words.ts';
import { may, mayOfOthers } from '../../people/roles/permission-table.ts';
import { useSpacesWith } from '../../people/spaces/spaces.ts';
import { useUser } from '../../people/users/use-user.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { LoadedList } from '../../ui/LoadedList.tsx';
import { ProblemNotice } from '../../ui/Notice.tsx';
import page from '../../ui/Page.module.css';
import { PageHead } from '../../ui/PageHead.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import classes from '../../settings/Users.module.css';
import { userChoices } from '../../people/users/user-choices.ts';
import { newKeyPlace, ServerKeys, useMayMakeKeys } from './ServerKeys.tsx';
import { ChangeNotice } from '../../people/changes/ChangeNotice.tsx';
import { useSave } from '../../settings/use-save.ts';
import {
  keys,
  servers as words,
  spaces,
  words as shared,
  tokens as adminTokensWords,
} from '../../settings/words/words.ts';
import { adminTokenRoutes, type AdminTokenEntry } from '#access/tokens/contract';
import { colon } from '../../language/words/words.ts';
import { useNow } from '../../ui/use-now.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Age, When } from '../../ui/Moment.tsx';
import { ConfirmedButton } from '../../settings/ConfirmedButton.tsx';
import { tokenPermissions, type TokenPermission } from '#people/directory/contract/permission';
import { serverNow } from '../../client/call-api.ts';
import { useDraft } from '../../ui/carried-text.ts';
import { commaList } from '../../ui/comma-list.ts';
import { faultIn, fieldFaults, textFields, type Faults } from '../../ui/field-faults.ts';
import { allowed, ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { ShownOnce } from '../../settings/ShownOnce.tsx';
import { SavingForm } from '../../settings/SavingForm.tsx';

export function ServersPage() {
  const [search, setSearch] = useSearchParams();
  const find = search.get('find') ?? '';
  const mayMakeKeys = useMayMakeKeys().allowed;
  const action = mayMakeKeys && (
    <a href={`#${newKeyPlace}`} className={page.action}>
      {keys.create}
    </a>
  );
  return (
    <div className={page.stack}>
      <PageHead title={words.title} lead={words.lead} action={action} />
      <LoadedList query={useQuery(serversQuery)} words={words}>
        {(servers) => (
          <>
            <TextInput
              label={words.filter}
              description={words.filterNote}
              type="search"
              className={classes.narrow}
              value={find}
              onChange={({ currentTarget: { value } }) =>
                setSearch(value === '' ? {} : { find: value }, { replace: true })
              }
            />
            <ServerTable servers={servers.filter((server) => hasWords(server.name, find))} />
          </>
        )}
      </LoadedList>
      <ServerKeys find={find} />
      <AdminTokens />
    </div>
  );
}

function ServerTable({ servers }: { servers: ServerEntry[] }) {
  const me = useUser();
  const permission = may(me, 'change-directory');
  const spacesWithTools = useSpacesWith('read-tools');
  const mayOpen = ({ space }: ServerEntry) => permission.allowed || spacesWithTools.some(({ id }) => id === space?.id);
  const users = useQuery(usersQuery).data ?? [];
  const save = useSave(({ id, ownerId }: { id: string; ownerId: string | null }) =>
    call(usersRoutes.changeServer, { params: { id }, body: { ownerId } }),
  );
  const isMine = ({ ownerId }: ServerEntry) => ownerId !== null && ownerId === me?.id;
  const owner = (server: ServerEntry) =>
    permission.allowed ? (
      <NativeSelect
        aria-label={words.ownerOf(server.name)}
        className={classes.narrow}
        value={server.ownerId ?? ''}
        disabled={save.isPending || isMine(server)}
        description={mayOfOthers(me, 'change-directory', server.ownerId).reason}
        inputWrapperOrder={['input', 'description']}
        data={[{ value: '', label: shared.none }, ...userChoices({ users, chosen: server.ownerId, me: me?.id })]}
        onChange={({ currentTarget: { value } }) =>
          save.mutate({ id: server.id, ownerId: value === '' ? null : value })
        }
      />
    ) : (
      <Revealed text={server.owner?.name ?? shared.none} />
    );
  if (servers.length === 0) return <p>{words.noMatch}</p>;
  return (
    <>
      {save.isError && <ProblemNotice error={save.error} />}
      <ChangeNotice change={save.data} />
      <DataTable
        caption={words.table}
        columns={[
          {
            head: words.name,
            isName: true,
            cell: (server) => <Name server={server} mayOpen={mayOpen(server)} />,
          },
          { head: words.owner, cell: owner },
          ...(servers.some(({ space }) => space !== null)
            ? [{ head: spaces.space, cell: ({ space }: ServerEntry) => <Revealed text={space?.name ?? ''} /> }]
            : []),
        ]}
        rows={servers}
        keyOf={({ id }) => id}
      />
      {permission.reason !== null && <p className={page.small}>{permission.reason}</p>}
    </>
  );
}

/** Name with a link to the server's tools. */
const Name = ({ server: { id, name }, mayOpen }: { server: ServerEntry; mayOpen: boolean }) =>
  mayOpen ? (
    <Link to={`/settings/servers/${id}`}>
      <Revealed text={name} />
    </Link>
  ) : (
    <Revealed text={name} />
  );

const tokensQuery = queryOptions({
  ...query(adminTokenRoutes.listAdminTokens),
  select: ({ tokens }) => tokens,
});

/** Tokens of programs that administer: only administrators see them. */
function AdminTokens() {
  return may(useUser(), 'change-directory').allowed ? <Tokens /> : null;
}

function Tokens() {
  return (
    <section className={classes.part} aria-labelledby="admin-tokens">
      <h2 id="admin-tokens" className={page.subtitle}>
        {adminTokensWords.title}
      </h2>
      <p className={page.soft}>{adminTokensWords.note}</p>
      <Loaded query={useQuery(tokensQuery)}>{(tokens) => tokens.length > 0 && <TokenTable tokens={tokens} />}</Loaded>
      <NewTokenForm />
    </section>
  );
}

function TokenTable({ tokens }: { tokens: AdminTokenEntry[] }) {
  const revoke = useSave(
    (kid: string) => call(adminTokenRoutes.revokeAdminToken, { params: { kid } }),
    adminTokensWords.revoked,
  );
  return (
    <>
      {revoke.isError && <ProblemNotice error={revoke.error} />}
      <DataTable
        caption={adminTokensWords.title}
        columns={[
          { head: adminTokensWords.name, isName: true, cell: (token) => <TokenName token={token} /> },
          { head: adminTokensWords.may, cell: (token) => <Terms token={token} /> },
          { head: adminTokensWords.made, cell: ({ createdAt }) => <Age at={createdAt} /> },
          { head: adminTokensWords.maker, cell: ({ maker }) => <Revealed text={maker?.name ?? ''} /> },
          {
            head: adminTokensWords.used,
            cell: ({ lastUsedAt }) => (lastUsedAt === null ? adminTokensWords.never : <Age at={lastUsedAt} />),
          },
          { head: adminTokensWords.expires, cell: (token) => <Expiry token={token} /> },
          {
            head: adminTokensWords.state,
            cell: (token) => <RevokeStep token={token} onRevoke={() => revoke.mutate(token.kid)} />,
          },
        ]}
        rows={tokens}
        keyOf={({ kid }) => kid}
      />
    </>
  );
}

interface OfToken {
  token: AdminTokenEntry;
}

const TokenName = ({ token: { name, kid } }: OfToken) => (
  <>
    <Revealed text={name} />
    <span className={classes.second}>{kid}</span>
  </>
);

const Terms = ({ token: { permissions, networks } }: OfToken) => (
  <>
    {permissions.map((permission) => adminTokensWords.permissions[permission]).join(', ')}
    {networks.length > 0 && <div className={page.small}>{adminTokensWords.from(networks.join(', '))}</div>}
  </>
);

function Expiry({ token: { expiresAt } }: OfToken) {
  const isExpired = expiresAt <= useNow();
  return (
    <>
      {isExpired && (
        <strong>
          {adminTokensWords.isExpired}
          {colon}{' '}
        </strong>
      )}
      <When at={expiresAt} />
    </>
  );
}

function RevokeStep({ token: { name, revokedAt, maker }, onRevoke }: OfToken & { onRevoke: () => void }) {
  if (revokedAt !== null)
    return (
      <span>
        {adminTokensWords.isRevoked} <Age at={revokedAt} />
      </span>
    );
  const { revoke: act, revokeNote: note, confirm, keep } = adminTokensWords;
  return (
    <div className={classes.steps}>
      {maker?.disabled && <Revealed text={adminTokensWords.isOff(maker.name)} />}
      <ConfirmedButton name={name} words={{ act, note, confirm, keep }} onConfirm={onRevoke} />
    </div>
  );
}

interface Draft {
  name: string;
  permissions: TokenPermission[];
  days: string;
  networks: string;
}

const empty: Draft = { name: '', permissions: [], days: '90', networks: '' };

const tokenOf = ({ name, permissions, days, networks }: Draft, now: number) => ({
  name: name.trim(),
  permissions,
  expiresAt: now + Number(days) * 86_400_000,
  networks: commaList(networks),
});

/** Makes a token, which is shown once. */
function NewTokenForm() {
  const [draft, setDraft] = useDraft('new-token', empty);
  const create = useSave(
    () => call(adminTokenRoutes.createAdminToken, { body: tokenOf(draft, serverNow()) }),
    adminTokensWords.madeOne,
  );
  const faults = fieldFaults(create.error);
  const press = () => create.mutate(undefined, { onSuccess: () => setDraft(empty) });
  return (
    <SavingForm error={create.error} onPress={press}>
      {create.data && (
        <ShownOnce
          title={adminTokensWords.give(create.data.name)}
          note={adminTokensWords.giveNote}
          label={adminTokensWords.shown}
          value={create.data.token}
        />
      )}
      <ChangeNotice change={create.data} />
      <Fields draft={draft} faults={faults} onChange={(part) => setDraft({ ...draft, ...part })} />
      <div className={page.actions}>
        <ReasonedButton {...allowed} isSending={create.isPending} onPress={press}>
          {adminTokensWords.create}
        </ReasonedButton>
      </div>
    </SavingForm>
  );
}

interface FieldsProps {
  draft: Draft;
  faults: Faults;
  onChange: (part: Partial<Draft>) => void;
}

function Fields({ draft, faults, onChange }: FieldsProps) {
  const field = textFields(draft, onChange, faults);
  return (
    <>
      <TextInput
        label={adminTokensWords.name}
        description={adminTokensWords.nameNote}
        {...field('name')}
        autoComplete="off"
      />
      <Checkbox.Group
        label={adminTokensWords.may}
        description={adminTokensWords.mayNote}
        value={draft.permissions}
        error={faults['permissions']}
        onChange={(values) =>
          onChange({ permissions: tokenPermissions.filter((permission) => values.includes(permission)) })
        }
      >
        {tokenPermissions.map((permission) => (
          <Checkbox key={permission} value={permission} label={adminTokensWords.permissions[permission]} mt="xs" />
        ))}
      </Checkbox.Group>
      <NativeSelect
        label={adminTokensWords.validFor}
        {...field('days')}
        error={faults['expiresAt']}
        data={[30, 90, 364].map((days) => ({ value: String(days), label: adminTokensWords.days(days) }))}
      />
      <TextInput
        label={adminTokensWords.forNetworks}
        description={adminTokensWords.forNetworksNote}
        {...field('networks')}
        error={faultIn(faults, 'networks')}
        autoComplete="off"
      />
    </>
  );
}
