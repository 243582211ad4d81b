import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useSearchParams } from 'react-router';
import { makeStop } from '../stops.ts';
import { useDraft } from '../../../ui/carried-text.ts';
import { serversQuery } from '../../../people/users/directory-queries.ts';
import { fieldFaults, textFields } from '../../../ui/field-faults.ts';
import { mayOfOwn } from '../../../people/roles/permission-table.ts';
import { useMayIn } from '../../../people/spaces/spaces.ts';
import { useUser } from '../../../people/users/use-user.ts';
import { Notice } from '../../../ui/Notice/Notice.tsx';
import page from '../../../ui/Page.module.css';
import { Reason, ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import { SavingForm } from '../../../settings/SavingForm.tsx';
import { useSave } from '../../../settings/use-save.ts';
import { stops as words } from '../../../settings/words/words.ts';

const empty = { server: '', tool: '', reason: '' };

/** Stops a tool, a server or everything: the button says which. */
export function StopForm() {
  const me = useUser();
  const servers = useQuery(serversQuery).data ?? [];
  const [search] = useSearchParams();
  const named = { server: search.get('server') ?? '', tool: search.get('tool') ?? '' };
  const [draft, setDraft] = useDraft('stop', { ...empty, ...named }, search.toString());
  const server = servers.find(({ name }) => name === draft.server);
  const inSpace = useMayIn('stop-calls')(server?.space);
  const permission = inSpace.allowed ? inSpace : mayOfOwn(me, 'stop-calls', server?.ownerId ?? null);
  const stop = useSave(() => makeStop(requestOf(draft)), words.saved);
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
