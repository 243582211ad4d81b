import { Button, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState, type SubmitEvent } from 'react';
import { lookAt } from '../../api/elicitations.ts';
import { fieldFaults } from '../../lib/field-faults.ts';
import { requestQuery } from '../../lib/queries.ts';
import { ProblemNotice } from '../../ui/Notice.tsx';
import { PageHeading } from '../../ui/page/PageHeading.tsx';
import { look } from './words/words.ts';

/** Who watches over requests says why they read this one, and then reads it. */
export function LookForm({ id }: { id: string }) {
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
    <form onSubmit={submit} noValidate>
      <PageHeading title={look.title}>{look.title}</PageHeading>
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
      <Button type="submit" mt="md" loading={save.isPending}>
        {look.submit}
      </Button>
    </form>
  );
}
