import { Button, NativeSelect } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { erasureGrounds, type ContentScope, type ErasureGround } from '#requests/asking/contract/elicitation';
import { isWaiting } from '../../../people/changes/changes.ts';
import { eraseContent } from '../../../audit/log/keeping.ts';
import { ChangeNotice } from '../../../people/changes/ChangeNotice.tsx';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import { keeping as words } from '../words/later-words/later-words.ts';
import classes from '../Keep.module.css';
import { ScopeChoice } from './ScopeChoice.tsx';

/** Asks a second administrator to agree that this content is erased. */
export function EraseStep({ id, onClose }: { id: string; onClose: () => void }) {
  const [of, setOf] = useState<ContentScope>('request');
  const [ground, setGround] = useState<ErasureGround>('asked');
  const queries = useQueryClient();
  const erasure = useMutation({
    mutationFn: () => eraseContent(id, { of, ground }),
    onSuccess: (change) => (isWaiting(change) ? undefined : queries.invalidateQueries()),
  });
  if (erasure.data) return <ChangeNotice change={erasure.data} />;
  return (
    <div className={classes.steps}>
      <ScopeChoice scope={of} onChange={setOf} />
      <NativeSelect
        label={words.ground}
        value={ground}
        data={erasureGrounds.map((value) => ({ value, label: words.choices[value] }))}
        onChange={(event) => setGround(event.currentTarget.value as ErasureGround)}
      />
      <p>{words.consequence}</p>
      {erasure.isError && <ProblemNotice error={erasure.error} />}
      <Button variant="default" loading={erasure.isPending} onClick={() => erasure.mutate()}>
        {words.eraseNow}
      </Button>
      <Button variant="subtle" color="gray" onClick={onClose}>
        {words.close}
      </Button>
    </div>
  );
}
