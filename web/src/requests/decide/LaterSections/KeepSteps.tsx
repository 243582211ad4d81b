import { may } from '../../../people/roles/permission-table.ts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { useUser } from '../../../people/users/use-user.ts';
import { Section } from '../Section.tsx';
import { keeping as words } from '../words/later-words/later-words.ts';
import { EraseStep } from './EraseStep.tsx';
import { HoldStep } from './HoldStep.tsx';
import classes from '../Keep.module.css';

/** What administrators do with the content of a request that has ended: erase it, or keep it from being erased. */
export function KeepSteps({ detail: { id } }: { detail: ElicitationDetail }) {
  const user = useUser();
  const [step, setStep] = useState<'erase' | 'hold' | null>(null);
  if (!may(user, 'hold-content').allowed) return null;
  return (
    <Section title={words.title}>
      <div className={classes.steps}>
        <p>{words.lead}</p>
        {step === null && (
          <>
            <Button variant="default" onClick={() => setStep('hold')}>
              {words.hold}
            </Button>
            <Button variant="default" onClick={() => setStep('erase')}>
              {words.erase}
            </Button>
          </>
        )}
        {step === 'erase' && <EraseStep id={id} onClose={() => setStep(null)} />}
        {step === 'hold' && <HoldStep id={id} onClose={() => setStep(null)} />}
      </div>
    </Section>
  );
}
