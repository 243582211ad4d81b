import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { ServerEntry } from '#people/users/contract';
import { changeServer } from '../../../people/users/directory.ts';
import { usersQuery, serversQuery } from '../../../people/users/directory-queries.ts';
import { hasWords } from '../../../shell/words/has-words.ts';
import { may, mayOfOthers } from '../../../people/roles/permission-table.ts';
import { useSpacesWith } from '../../../people/spaces/spaces/space-permission.ts';
import { useUser } from '../../../people/users/use-user.ts';
import { DataTable } from '../../../ui/DataTable.tsx';
import { LoadedList } from '../../../ui/LoadedList.tsx';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import page from '../../../ui/Page.module.css';
import { PageHead } from '../../../ui/PageHead.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import classes from '../../../settings/Users.module.css';
import { userChoices } from '../../../people/users/user-choices.ts';
import { AdminTokens } from './AdminTokens.tsx';
import { newKeyPlace, ServerKeys, useMayMakeKeys } from '../ServerKeys/ServerKeys.tsx';
import { ChangeNotice } from '../../../people/changes/ChangeNotice.tsx';
import { useSave } from '../../../settings/use-save.ts';
import { keys, servers as words, spaces, words as shared } from '../../../settings/words/words.ts';

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
  const save = useSave(({ id, ownerId }: { id: string; ownerId: string | null }) => changeServer(id, { ownerId }));
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

/** Leads to the server's tools. */
const Name = ({ server: { id, name }, mayOpen }: { server: ServerEntry; mayOpen: boolean }) =>
  mayOpen ? (
    <Link to={`/settings/servers/${id}`}>
      <Revealed text={name} />
    </Link>
  ) : (
    <Revealed text={name} />
  );
