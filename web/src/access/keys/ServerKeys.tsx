import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { keyRoutes, type KeyEntry, type NewKey } from '#access/keys/contract/key';
import { marksOf } from '#access/keys/contract/marks';
import { colon } from '../../language/words/words.ts';
import { call } from '../../client/call.ts';
import { keysQuery, serversQuery } from '../../people/users/directory-queries.ts';
import { hasWords } from '../../shell/words/has-words.ts';
import { may, type Permission } from '../../people/roles/permission-table.ts';
import { useMayIn, useSpacesWith } from '../../people/spaces/spaces.ts';
import { useNow } from '../../ui/use-now.tsx';
import { useUser } from '../../people/users/use-user.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { ChangeNotice } from '../../people/changes/ChangeNotice.tsx';
import { Age, When } from '../../ui/Moment.tsx';
import { ProblemNotice } from '../../ui/Notice.tsx';
import page from '../../ui/Page.module.css';
import { allowed, Reason, ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import unseen from '../../shell/Unseen.module.css';
import { ShownOnce } from '../../settings/ShownOnce.tsx';
import classes from '../../settings/Users.module.css';
import { useEscape } from '../../settings/use-escape.ts';
import { useSave } from '../../settings/use-save.ts';
import { keys as words } from '../../settings/words/words.ts';
import { TextInput, NativeSelect } from '@mantine/core';
import { isWaiting } from '../../people/changes/changes.ts';
import { commaList } from '../../ui/comma-list.ts';
import { faultIn, fieldFaults, textFields, type Faults } from '../../ui/field-faults.ts';
import { serverNow } from '../../client/call-api.ts';
import { useDraft } from '../../ui/carried-text.ts';
import { SavingForm } from '../../settings/SavingForm.tsx';

/** Keys of servers, without their secret parts. */
export function ServerKeys({ find }: { find: string }) {
  const permission = useMayMakeKeys();
  const id = useId();
  return (
    <section className={classes.part}>
      <h2 className={page.subtitle}>{words.title}</h2>
      <p className={page.soft}>{words.note}</p>
      <Loaded query={useQuery(keysQuery)}>
        {(keys) => <KeyTable keys={keys.filter(({ server }) => hasWords(server.name, find))} reasonId={id} />}
      </Loaded>
      <Reason id={id} permission={permission} />
      {permission.allowed && (
        <div id={newKeyPlace}>
          <NewKeyForm />
        </div>
      )}
    </section>
  );
}

/** Anchor of the form for a new key, below all keys. */
export const newKeyPlace = 'new-key';

/** Permission to make keys, everywhere or in a space. */
export function useMayMakeKeys(): Permission {
  const everywhere = may(useUser(), 'change-keys');
  const isInSpace = useSpacesWith('change-keys').length > 0;
  return isInSpace ? { allowed: true, reason: null } : everywhere;
}

/** A step about a key that needs a second press. */
interface Step {
  kid: string;
  verb: 'rotate' | 'revoke' | 'limit';
}

function KeyTable({ keys, reasonId }: { keys: KeyEntry[]; reasonId: string }) {
  const [chosen, setChosen] = useState<Step | null>(null);
  const revoke = useSave((kid: string) => call(keyRoutes.revokeKey, { params: { kid } }), words.revoked);
  const rotate = useSave((kid: string) => call(keyRoutes.rotateKey, { params: { kid }, body: {} }), words.rotated);
  if (keys.length === 0) return null;
  const step = (key: KeyEntry) => (
    <KeySteps
      entry={key}
      reasonId={reasonId}
      chosen={chosen?.kid === key.kid ? chosen.verb : null}
      isSending={[revoke, rotate].some(({ isPending, variables }) => isPending && variables === key.kid)}
      onChoose={(verb) => setChosen(verb && { kid: key.kid, verb })}
      onConfirm={(verb) => (verb === 'revoke' ? revoke : rotate).mutate(key.kid, { onSuccess: () => setChosen(null) })}
    />
  );
  return (
    <>
      {[revoke, rotate].map(({ error }) => error && <ProblemNotice key={error.message} error={error} />)}
      {rotate.data && (
        <ShownOnce
          title={words.give(rotate.data.server)}
          note={words.rotatedNote}
          label={words.shown}
          value={rotate.data.key}
        />
      )}
      <ChangeNotice change={rotate.data} />
      <DataTable
        caption={words.title}
        columns={[
          { head: words.key, isName: true, cell: ({ kid }) => <span className={page.mono}>{kid}</span> },
          { head: words.server, cell: ({ server }) => <Revealed text={server.name} /> },
          { head: words.made, cell: ({ createdAt }) => <Age at={createdAt} /> },
          { head: words.maker, cell: ({ maker }) => <Revealed text={maker?.name ?? words.operator} /> },
          { head: words.used, cell: (key) => <LastUse entry={key} /> },
          { head: words.limits, cell: (key) => <Limits entry={key} /> },
          { head: words.expires, cell: (key) => <Expiry entry={key} /> },
          { head: words.state, cell: step },
        ]}
        rows={keys}
        keyOf={({ kid }) => kid}
      />
    </>
  );
}

interface OfKey {
  entry: KeyEntry;
}

function LastUse({ entry }: OfKey) {
  const isUnused = marksOf(entry, useNow()).includes('unused');
  return (
    <>
      {isUnused && <strong>{words.unused} </strong>}
      {entry.lastUsedAt === null ? words.never : <Age at={entry.lastUsedAt} />}
    </>
  );
}

/** Tools and networks of a key. */
const Limits = ({ entry: { tools, networks } }: OfKey) => (
  <>
    {tools.includes('*') ? words.allTools : <Revealed text={tools.join(', ')} />}
    {networks.length > 0 && <div className={page.small}>{words.from(networks.join(', '))}</div>}
  </>
);

function Expiry({ entry }: OfKey) {
  const marks = marksOf(entry, useNow());
  const { expiresAt, revokedAt } = entry;
  if (expiresAt === null || revokedAt !== null) return words.expiresNever;
  const mark = (marks.includes('expired') && words.isExpired) || (marks.includes('expires-soon') && words.soon);
  return (
    <>
      {mark && (
        <strong>
          {mark}
          {colon}{' '}
        </strong>
      )}
      <When at={expiresAt} />
    </>
  );
}

interface KeyStepsProps extends OfKey {
  reasonId: string;
  chosen: Step['verb'] | null;
  isSending: boolean;
  onChoose: (verb: Step['verb'] | null) => void;
  onConfirm: (verb: 'rotate' | 'revoke') => void;
}

/**
 * Steps for a key. People without the right to change keys see only those of their own servers, and may revoke them. The effect
 * of a step is shown next to the first button; a second button, in the row, takes it.
 */
function KeySteps({ entry, reasonId, chosen, isSending, onChoose, onConfirm }: KeyStepsProps) {
  const { kid, server, revokedAt, replacedBy, maker } = entry;
  const servers = useQuery(serversQuery).data ?? [];
  const permission = useMayIn('change-keys')(servers.find(({ id }) => id === server.id)?.space);
  const isExpired = marksOf(entry, useNow()).includes('expired');
  useEscape(chosen !== null, () => onChoose(null));
  const name = <span className={unseen.unseen}>{kid}</span>;
  if (revokedAt !== null)
    return (
      <span>
        {words.isRevoked} <Age at={revokedAt} />
      </span>
    );
  if (chosen === null)
    return (
      <div className={classes.steps}>
        {maker?.disabled && <Revealed text={words.isOff(maker.name)} />}
        {replacedBy !== null && <span className={page.small}>{words.isReplaced(replacedBy)}</span>}
        {replacedBy === null && !isExpired && (
          <ReasonedButton permission={permission} reasonId={reasonId} isQuiet onPress={() => onChoose('rotate')}>
            {words.rotate} {name}
          </ReasonedButton>
        )}
        {!isExpired && (
          <ReasonedButton permission={permission} reasonId={reasonId} isQuiet onPress={() => onChoose('limit')}>
            {words.changeNetworks} {name}
          </ReasonedButton>
        )}
        <ReasonedButton {...allowed} isQuiet onPress={() => onChoose('revoke')}>
          {words.revoke} {name}
        </ReasonedButton>
      </div>
    );
  if (chosen === 'limit') return <KeyNetworks entry={entry} onDone={() => onChoose(null)} />;
  return (
    <div className={classes.steps}>
      <p className={page.small}>{chosen === 'revoke' ? words.revokeNote : words.rotateNote}</p>
      <ReasonedButton {...allowed} isQuiet isSending={isSending} onPress={() => onConfirm(chosen)}>
        {chosen === 'revoke' ? words.confirm : words.confirmRotation} {name}
      </ReasonedButton>
      <ReasonedButton {...allowed} isQuiet onPress={() => onChoose(null)}>
        {words.keep} {name}
      </ReasonedButton>
    </div>
  );
}

/** Networks of an existing key. */
export function KeyNetworks({ entry: { kid, networks }, onDone }: { entry: KeyEntry; onDone: () => void }) {
  const [text, setText] = useState(networks.join(', '));
  const save = useSave(() => call(keyRoutes.changeKey, { params: { kid }, body: { networks: commaList(text) } }));
  const fault = faultIn(fieldFaults(save.error), 'networks');
  const press = () => save.mutate(undefined, { onSuccess: (change) => isWaiting(change) || onDone() });
  return (
    <div className={classes.steps}>
      <ChangeNotice change={save.data} />
      {save.isError && fault === undefined && <ProblemNotice error={save.error} />}
      <TextInput
        label={words.networksOf(kid)}
        description={words.forNetworksNote}
        value={text}
        error={fault}
        onChange={(event) => setText(event.currentTarget.value)}
        autoComplete="off"
      />
      <ReasonedButton {...allowed} isQuiet isSending={save.isPending} onPress={press}>
        {words.saveNetworks} <span className={unseen.unseen}>{kid}</span>
      </ReasonedButton>
      <ReasonedButton {...allowed} isQuiet onPress={onDone}>
        {words.keep} <span className={unseen.unseen}>{kid}</span>
      </ReasonedButton>
    </div>
  );
}

const empty = { server: '', days: '', tools: '', networks: '' };

function keyOf({ server, days, ...lists }: typeof empty, now: number): NewKey {
  const [tools, networks] = [commaList(lists.tools), commaList(lists.networks)];
  return {
    server: server.trim(),
    ...(days !== '' && { expiresAt: now + Number(days) * 86_400_000 }),
    ...(tools.length > 0 && { tools }),
    ...(networks.length > 0 && { networks }),
  };
}

/** Makes a key for an existing or a new server. */
function NewKeyForm() {
  const servers = useQuery(serversQuery).data ?? [];
  const [draft, setDraft] = useDraft('new-key', empty);
  const permission = useMayIn('change-keys')(servers.find(({ name }) => name === draft.server.trim())?.space);
  const create = useSave(() => call(keyRoutes.createKey, { body: keyOf(draft, serverNow()) }), words.madeOne);
  const faults = fieldFaults(create.error);
  const field = textFields(draft, (part) => setDraft({ ...draft, ...part }), faults);
  const id = useId();
  const reasonId = useId();
  const press = () => create.mutate(undefined, { onSuccess: () => setDraft(empty) });
  return (
    <SavingForm error={create.error} onPress={press}>
      {create.data && (
        <ShownOnce
          title={words.give(create.data.server)}
          note={words.giveNote}
          label={words.shown}
          value={create.data.key}
        />
      )}
      <ChangeNotice change={create.data} />
      <TextInput
        label={words.forServer}
        description={words.forServerNote}
        {...field('server')}
        list={id}
        autoComplete="off"
      />
      <datalist id={id}>
        {servers.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <LimitFields field={field} faults={faults} />
      <div className={page.actions}>
        <ReasonedButton permission={permission} reasonId={reasonId} isSending={create.isPending} onPress={press}>
          {words.create}
        </ReasonedButton>
      </div>
      <Reason id={reasonId} permission={permission} />
    </SavingForm>
  );
}

interface LimitFieldsProps {
  field: ReturnType<typeof textFields<typeof empty>>;
  faults: Faults;
}

/** Expiry, tools and networks of the key. */
const LimitFields = ({ field, faults }: LimitFieldsProps) => (
  <>
    <NativeSelect
      label={words.expires}
      description={words.expiresNote}
      {...field('days')}
      error={faults['expiresAt']}
      data={[
        { value: '', label: words.expiresNever },
        ...[30, 90, 365].map((days) => ({ value: String(days), label: words.expiresIn(days) })),
      ]}
    />
    <TextInput
      label={words.forTools}
      description={words.forToolsNote}
      {...field('tools')}
      error={faultIn(faults, 'tools')}
      autoComplete="off"
    />
    <TextInput
      label={words.forNetworks}
      description={words.forNetworksNote}
      {...field('networks')}
      error={faultIn(faults, 'networks')}
      autoComplete="off"
    />
  </>
);
