import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { readPastedCall } from '#requests/facts/contract/confirmation';
import { isHint, type CallDraft, type CallFaults } from './call-draft.ts';
import classes from '../Policies.module.css';
import { callTrial as words, choicesOf } from '../words/words.ts';

interface CallFieldsProps {
  draft: CallDraft;
  faults: CallFaults;
  onChange: (part: Partial<CallDraft>) => void;
  /** The button that tries it. */
  children: ReactNode;
}

/** What is to be known of a call. The tool is asked for only if the text does not name it. */
export function CallFields({ draft, faults, onChange, children }: CallFieldsProps) {
  const call = readPastedCall(draft.text);
  const field = (name: 'server' | 'tool' | 'requester') => (
    <TextInput
      label={words[name]}
      value={draft[name]}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
      error={name !== 'requester' && faults[name] && words.faults[faults[name]]}
      autoComplete="off"
    />
  );
  return (
    <>
      <Textarea
        label={words.text}
        description={words.textNote}
        value={draft.text}
        onChange={(event) => onChange({ text: event.currentTarget.value })}
        error={faults.text && words.faults[faults.text]}
        rows={6}
        spellCheck={false}
        classNames={{ input: classes.name ?? '' }}
      />
      <div className={classes.run}>
        {field('server')}
        {(typeof call === 'string' || call.tool === null) && field('tool')}
        <NativeSelect
          label={words.hint}
          value={draft.hint}
          data={choicesOf(words.hints)}
          onChange={({ currentTarget: { value } }) => isHint(value) && onChange({ hint: value })}
        />
        {field('requester')}
        {children}
      </div>
    </>
  );
}
