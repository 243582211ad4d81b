import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { KeyEntry } from '../../../../../src/contract/users/key.ts';
import { revokeKey } from '../../../api/keys.ts';
import { keysQuery } from '../../../lib/directory-queries.ts';
import { may } from '../../../lib/permission-table.ts';
import { useNow } from '../../../lib/use-now.ts';
import { useUser } from '../../../lib/use-user.ts';
import { DataTable } from '../../../ui/DataTable.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Age, When } from '../../../ui/Moment.tsx';
import { ProblemNotice } from '../../../ui/Notice.tsx';
import page from '../../../ui/page/Page.module.css';
import { allowed, Reason, ReasonedButton } from '../../../ui/ReasonedButton.tsx';
import { Revealed } from '../../../ui/Revealed.tsx';
import unseen from '../../../ui/Unseen.module.css';
import { NewKeyForm } from './NewKeyForm.tsx';
import classes from '../Users.module.css';
import { useSave } from '../use-save.ts';
import { keys as words } from '../words/words.ts';

/** The keys with which servers ask: never what is secret of them. */
export function ServerKeys() {
  const permission = may(useUser(), 'change-keys');
  const id = useId();
  return (
    <section className={classes.part}>
      <h2 className={page.subtitle}>{words.title}</h2>
      <p className={page.soft}>{words.note}</p>
      <Loaded query={useQuery(keysQuery)}>{(keys) => keys.length > 0 && <KeyTable keys={keys} />}</Loaded>
      <Reason id={id} permission={permission} />
      {permission.allowed && <NewKeyForm />}
    </section>
  );
}

function KeyTable({ keys }: { keys: KeyEntry[] }) {
  const [kid, setAsked] = useState<string | null>(null);
  const revoke = useSave((kid: string) => revokeKey(kid), words.revoked);
  const step = (key: KeyEntry) => (
    <RevokeStep
      entry={key}
      isAsked={kid === key.kid}
      isSending={revoke.isPending && revoke.variables === key.kid}
      onAsk={setAsked}
      onRevoke={() => revoke.mutate(key.kid)}
    />
  );
  return (
    <>
      {revoke.isError && <ProblemNotice error={revoke.error} />}
      <DataTable
        caption={words.title}
        columns={[
          { head: words.key, isName: true, cell: ({ kid }) => <span className={page.mono}>{kid}</span> },
          { head: words.server, cell: ({ server }) => <Revealed text={server.name} /> },
          { head: words.made, cell: ({ createdAt }) => <Age at={createdAt} /> },
          { head: words.maker, cell: ({ maker }) => <Revealed text={maker?.name ?? words.operator} /> },
          { head: words.used, cell: ({ lastUsedAt }) => (lastUsedAt === null ? words.never : <Age at={lastUsedAt} />) },
          {
            head: words.tools,
            cell: ({ tools }) => (tools.includes('*') ? words.allTools : <Revealed text={tools.join(', ')} />),
          },
          {
            head: words.expires,
            cell: ({ expiresAt, revokedAt }) => <Expiry at={revokedAt === null ? expiresAt : null} />,
          },
          { head: words.state, cell: step },
        ]}
        rows={keys}
        keyOf={({ kid }) => kid}
      />
    </>
  );
}

/** Milliseconds before the end in which the key is marked. */
const warnBefore = 14 * 86_400_000;

function Expiry({ at }: { at: number | null }) {
  const now = useNow();
  if (at === null) return words.expiresNever;
  const mark = at <= now ? words.isExpired : at - now <= warnBefore && words.soon;
  return (
    <>
      {mark && <strong>{mark}: </strong>}
      <When at={at} />
    </>
  );
}

interface RevokeStepProps {
  entry: KeyEntry;
  isAsked: boolean;
  isSending: boolean;
  onAsk: (kid: string | null) => void;
  onRevoke: () => void;
}

/**
 * Who may not change keys is shown only those of their own servers, and may revoke them.
 * What it does is said next to the first button's place; a second button, in the row, does it. */
function RevokeStep({ entry: { kid, revokedAt, maker }, isAsked, isSending, onAsk, onRevoke }: RevokeStepProps) {
  const name = <span className={unseen.unseen}>{kid}</span>;
  if (revokedAt !== null)
    return (
      <span>
        {words.isRevoked} <Age at={revokedAt} />
      </span>
    );
  if (!isAsked)
    return (
      <div className={classes.steps}>
        {maker?.disabled && <Revealed text={words.isOff(maker.name)} />}
        <ReasonedButton {...allowed} isQuiet onPress={() => onAsk(kid)}>
          {words.revoke} {name}
        </ReasonedButton>
      </div>
    );
  return (
    <div className={classes.steps}>
      <p className={page.small}>{words.revokeNote}</p>
      <ReasonedButton {...allowed} isQuiet isSending={isSending} onPress={onRevoke}>
        {words.confirm} {name}
      </ReasonedButton>
      <ReasonedButton {...allowed} isQuiet onPress={() => onAsk(null)}>
        {words.keep} {name}
      </ReasonedButton>
    </div>
  );
}
