import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import type { ContentScope } from '#requests/asking/contract/elicitation';
import { placeHold } from '../../../audit/log/keeping.ts';
import { fieldFaults } from '../../../ui/field-faults.ts';
import { holdsQuery } from '../../../shell/queries.ts';
import { ChangeNotice } from '../../../people/changes/ChangeNotice.tsx';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import { useChange } from '../../../people/changes/use-change.ts';
import { keeping as words } from '../words/later-words/later-words.ts';
import classes from '../Keep.module.css';
import { ScopeChoice } from './ScopeChoice.tsx';

/** Asks a second administrator to agree that this content is held. */
export function HoldStep({ id, onClose }: { id: ElicitationDetail['id']; onClose: () => void }) {
  const [scope, setScope] = useState<ContentScope>('request');
  const [reason, setReason] = useState('');
  const hold = useChange(() => placeHold({ scope, request: id, reason }), { queries: [holdsQuery.queryKey] });
  if (hold.data) return <ChangeNotice change={hold.data} saved={words.held} />;
  const fault = fieldFaults(hold.error)['reason'];
  return (
    <div className={classes.steps}>
      <ScopeChoice scope={scope} onChange={setScope} />
      <TextInput
        label={words.reason}
        description={words.reasonNote}
        value={reason}
        error={fault}
        onChange={(event) => setReason(event.currentTarget.value)}
        autoComplete="off"
      />
      {hold.isError && fault === undefined && <ProblemNotice error={hold.error} />}
      <Button variant="default" loading={hold.isPending} onClick={() => hold.mutate()}>
        {words.holdNow}
      </Button>
      <Button variant="subtle" color="gray" onClick={onClose}>
        {words.close}
      </Button>
    </div>
  );
}
