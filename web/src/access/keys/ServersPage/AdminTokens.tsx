import { queryOptions, useQuery } from '@tanstack/react-query';
import type { AdminTokenEntry } from '#access/tokens/contract';
import { colon } from '../../../language/words/words.ts';
import { readAdminTokens, revokeAdminToken } from '../../tokens/admin-tokens.ts';
import { may } from '../../../people/roles/permission-table.ts';
import { useNow } from '../../../ui/use-now/use-now.ts';
import { useUser } from '../../../people/users/use-user.ts';
import { DataTable } from '../../../ui/DataTable.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Age, When } from '../../../ui/Moment.tsx';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import page from '../../../ui/Page.module.css';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import classes from '../../../settings/Users.module.css';
import { ConfirmedButton } from '../../../settings/ConfirmedButton.tsx';
import { useSave } from '../../../settings/use-save.ts';
import { tokens as words } from '../../../settings/words/words.ts';
import { NewTokenForm } from './NewTokenForm.tsx';

const tokensQuery = queryOptions({
  queryKey: ['directory', 'admin-tokens'],
  queryFn: ({ signal }) => readAdminTokens(signal),
  select: ({ tokens }) => tokens,
});

/** The tokens by which programs administer: only administrators see them. */
export function AdminTokens() {
  return may(useUser(), 'change-directory').allowed ? <Tokens /> : null;
}

function Tokens() {
  return (
    <section className={classes.part} aria-labelledby="admin-tokens">
      <h2 id="admin-tokens" className={page.subtitle}>
        {words.title}
      </h2>
      <p className={page.soft}>{words.note}</p>
      <Loaded query={useQuery(tokensQuery)}>{(tokens) => tokens.length > 0 && <TokenTable tokens={tokens} />}</Loaded>
      <NewTokenForm />
    </section>
  );
}

function TokenTable({ tokens }: { tokens: AdminTokenEntry[] }) {
  const revoke = useSave(revokeAdminToken, words.revoked);
  return (
    <>
      {revoke.isError && <ProblemNotice error={revoke.error} />}
      <DataTable
        caption={words.title}
        columns={[
          { head: words.name, isName: true, cell: (token) => <Name token={token} /> },
          { head: words.may, cell: (token) => <Terms token={token} /> },
          { head: words.made, cell: ({ createdAt }) => <Age at={createdAt} /> },
          { head: words.maker, cell: ({ maker }) => <Revealed text={maker?.name ?? ''} /> },
          {
            head: words.used,
            cell: ({ lastUsedAt }) => (lastUsedAt === null ? words.never : <Age at={lastUsedAt} />),
          },
          { head: words.expires, cell: (token) => <Expiry token={token} /> },
          {
            head: words.state,
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

const Name = ({ token: { name, kid } }: OfToken) => (
  <>
    <Revealed text={name} />
    <span className={classes.second}>{kid}</span>
  </>
);

const Terms = ({ token: { permissions, networks } }: OfToken) => (
  <>
    {permissions.map((permission) => words.permissions[permission]).join(', ')}
    {networks.length > 0 && <div className={page.small}>{words.from(networks.join(', '))}</div>}
  </>
);

function Expiry({ token: { expiresAt } }: OfToken) {
  const isExpired = expiresAt <= useNow();
  return (
    <>
      {isExpired && (
        <strong>
          {words.isExpired}
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
        {words.isRevoked} <Age at={revokedAt} />
      </span>
    );
  const { revoke: act, revokeNote: note, confirm, keep } = words;
  return (
    <div className={classes.steps}>
      {maker?.disabled && <Revealed text={words.isOff(maker.name)} />}
      <ConfirmedButton name={name} words={{ act, note, confirm, keep }} onConfirm={onRevoke} />
    </div>
  );
}
