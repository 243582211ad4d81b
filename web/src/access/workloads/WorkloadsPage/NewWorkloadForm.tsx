import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ServerEntry } from '#people/users/contract';
import { addWorkload } from './workloads.ts';
import { useDraft } from '../../../ui/carried-text.ts';
import { serversQuery } from '../../../people/users/directory-queries.ts';
import { faultIn, fieldFaults } from '../../../ui/field-faults.ts';
import { useMayIn } from '../../../people/spaces/spaces/space-permission.ts';
import { ChangeNotice } from '../../../people/changes/ChangeNotice.tsx';
import page from '../../../ui/Page.module.css';
import { allowed, ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import { SavingForm } from '../../../settings/SavingForm.tsx';
import { useSave } from '../../../settings/use-save.ts';
import { readClaims } from './claims.ts';
import { workloads as words } from '../words/words.ts';

interface NewWorkloadFormProps {
  issuers: string[];
}

/** Binds a workload to one of the servers whose keys this person may change. */
export function NewWorkloadForm({ issuers }: NewWorkloadFormProps) {
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
    () => addWorkload(server, { issuer, audience: draft.audience.trim(), subject: draft.subject.trim(), claims }),
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

/** The first of each list is chosen until someone chooses another one. */
const chosenIn = ({ server, issuer }: typeof empty): { server?: string; issuer?: string } => ({
  ...(server !== '' && { server }),
  ...(issuer !== '' && { issuer }),
});
