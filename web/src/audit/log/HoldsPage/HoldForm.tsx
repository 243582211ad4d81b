import { Button, TextInput } from '@mantine/core';
import type { SubmitEvent } from 'react';
import { placeHold } from '../keeping.ts';
import { useDraft } from '../../../ui/carried-text.ts';
import { fieldFaults } from '../../../ui/field-faults.ts';
import { may } from '../../../people/roles/permission-table.ts';
import { holdsQuery } from '../../../shell/queries.ts';
import { useUser } from '../../../people/users/use-user.ts';
import { ChangeNotice } from '../../../people/changes/ChangeNotice.tsx';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import { useChange } from '../../../people/changes/use-change.ts';
import page from '../../../ui/Page.module.css';
import { holds as words } from '../words/words.ts';

const empty = { server: '', reason: '' };

/** Holds all content of a server, or everything; a request’s own page holds the rest. */
export function HoldForm() {
  const [{ server, reason }, setDraft] = useDraft('hold', empty);
  const hold = useChange(placeHold, { queries: [holdsQuery.queryKey] });
  if (!may(useUser(), 'hold-content').allowed) return null;
  const faults = fieldFaults(hold.error);
  const isFieldFault = Object.keys(faults).length > 0;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const name = server.trim();
    const scope = name === '' ? ({ scope: 'everything' } as const) : ({ scope: 'server', server: name } as const);
    hold.mutate({ ...scope, reason }, { onSuccess: () => setDraft(empty) });
  };
  return (
    <form className={page.form} onSubmit={submit} noValidate>
      <h2 className={page.subtitle}>{words.form}</h2>
      <ChangeNotice change={hold.data} saved={words.saved} />
      {hold.isError && !isFieldFault && <ProblemNotice error={hold.error} />}
      <TextInput
        label={words.server}
        description={words.serverNote}
        value={server}
        error={faults['server']}
        onChange={(event) => setDraft({ server: event.currentTarget.value, reason })}
        autoComplete="off"
      />
      <TextInput
        label={words.reason}
        description={words.reasonNote}
        value={reason}
        error={faults['reason']}
        onChange={(event) => setDraft({ server, reason: event.currentTarget.value })}
        autoComplete="off"
      />
      <div className={page.actions}>
        <Button type="submit" variant="default" loading={hold.isPending}>
          {words.hold}
        </Button>
      </div>
    </form>
  );
}
