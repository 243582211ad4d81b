import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { readPassedCall } from '../audit.ts';
import { fieldFaults } from '../../../ui/field-faults.ts';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import page from '../../../ui/Page.module.css';
import classes from '../Audit.module.css';
import { log } from '../words/words.ts';

/** The arguments of a call that ran by a pass, for who says why they read them. `id` is that of its entry. */
export function PassedArguments({ id }: { id: string }) {
  const [reason, setReason] = useState('');
  const read = useMutation({ mutationFn: () => readPassedCall(id, { reason }) });
  const fault = fieldFaults(read.error)['reason'];
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    read.mutate();
  };
  return (
    <details className={classes.facts}>
      <summary>{log.passed.title}</summary>
      {read.data ? (
        <Content {...read.data} />
      ) : (
        <form onSubmit={submit} noValidate className={page.form}>
          {read.isError && fault === undefined && <ProblemNotice error={read.error} />}
          <TextInput
            label={log.passed.reason}
            description={log.passed.note}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            error={fault}
            autoComplete="off"
          />
          <Button type="submit" variant="default" loading={read.isPending}>
            {log.passed.read}
          </Button>
        </form>
      )}
    </details>
  );
}

function Content({ arguments: text, length }: { arguments: string; length: number }) {
  return (
    <>
      <pre tabIndex={0}>
        <Revealed text={text} />
      </pre>
      {length > text.length && <p>{log.passed.cut(text.length, length)}</p>}
    </>
  );
}
