import { Button, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState, type SubmitEvent } from 'react';
import { lookAt } from '../../inbox/elicitations.ts';
import { fieldFaults } from '../../../ui/field-faults.ts';
import { requestQuery } from '../../../shell/queries.ts';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import { PageHeading } from '../../../ui/PageHeading.tsx';
import page from '../../../ui/Page.module.css';
import classes from '../WithoutContent.module.css';
import { WithoutContent } from './WithoutContent.tsx';
import { look } from '../words/words.ts';

interface LookFormProps {
  id: string;
  /** Whether the reader may see everything but the content without a reason. */
  isWatching: boolean;
}

/** Who watches over requests says why they read this one, and then reads it. */
export function LookForm({ id, isWatching }: LookFormProps) {
  const [reason, setReason] = useState('');
  const note = useId();
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: () => lookAt(id, { reason }),
    onSuccess: (detail) => client.setQueryData(requestQuery(id, true).queryKey, detail),
  });
  const fault = fieldFaults(save.error)['reason'];
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <>
      <PageHeading title={isWatching ? look.withoutContent : look.title}>
        {isWatching ? look.withoutContent : look.title}
      </PageHeading>
      {isWatching && <WithoutContent id={id} />}
      <form onSubmit={submit} noValidate className={page.form}>
        {isWatching && <h2 className={page.subtitle}>{look.title}</h2>}
        <p id={note}>{look.note}</p>
        {save.isError && fault === undefined && <ProblemNotice error={save.error} />}
        <Textarea
          label={look.reason}
          aria-describedby={note}
          autosize
          minRows={2}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={fault}
        />
        <Button type="submit" loading={save.isPending} className={classes.submit}>
          {look.submit}
        </Button>
      </form>
    </>
  );
}
