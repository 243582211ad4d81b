import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { statuses } from '#requests/asking/contract/elicitation';
import { textFields } from '../../../ui/field-faults.ts';
import page from '../../../ui/Page.module.css';
import classes from '../Audit.module.css';
import type { LogDraft } from './log-search.ts';
import { NameField, PersonField, ServerField, TimeField } from '../NarrowingFields/NarrowingFields.tsx';
import { log, words } from '../words/words.ts';

/** What a search is narrowed by; every field may stay empty. */
export function LogForm({ draft: first, onSearch }: { draft: LogDraft; onSearch: (draft: LogDraft) => void }) {
  const [draft, setDraft] = useState(first);
  const field = textFields(draft, (part) => setDraft({ ...draft, ...part }));
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    onSearch(draft);
  };
  const outcomes = [
    { value: '', label: words.everyone },
    ...statuses.map((status) => ({ value: status, label: log.outcomes[status] })),
  ];
  const idField = { autoComplete: 'off', spellCheck: false };
  return (
    <form onSubmit={onSubmit} className={classes.form} role="search" aria-label={log.title}>
      <TimeField label={words.from} max={draft.to} {...field('from')} />
      <TimeField label={words.to} min={draft.from} {...field('to')} />
      <PersonField isNeeded={false} {...field('person')} />
      <NameField label={words.tool} names="tools" {...field('tool')} />
      <ServerField {...field('server')} />
      <NameField label={words.policy} names="policies" {...field('policy')} />
      <NativeSelect label={log.outcome} data={outcomes} {...field('outcome')} />
      <TextInput
        label={log.request}
        {...idField}
        pattern="\s*eli_[\w\-]+\s*"
        title={log.wrongRequest}
        {...field('request')}
      />
      <TextInput label={log.digest} {...idField} pattern={digestPattern} title={log.wrongDigest} {...field('digest')} />
      <Button type="submit" variant="default" className={classes.show}>
        {log.search}
      </Button>
      <p className={`${page.small} ${classes.hint}`}>{words.period}</p>
    </form>
  );
}

const digestPattern = String.raw`\s*[0-9a-f]{64}\s*`;
