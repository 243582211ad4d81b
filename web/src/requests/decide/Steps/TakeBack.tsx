import { Button } from '@mantine/core';
import { withdrawVote } from '../../inbox/elicitations.ts';
import { useNow } from '../../../ui/use-now/use-now.ts';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import type { RequestPartProps } from '../MoreSteps/request-part-props.ts';
import { useSideStep } from '../use-side-step.ts';
import { more as words } from '../words/words.ts';

/** For the few seconds in which a complete approval has released nothing yet. */
export function TakeBack({ detail, reading, decision: { may, startOver } }: RequestPartProps) {
  const seconds = Math.ceil(((detail.settlesAt ?? 0) - useNow()) / 1_000);
  const send = useSideStep(detail, reading, {
    send: () => withdrawVote(detail.id),
    done: words.withdrawn,
    onDone: startOver,
  });
  if (detail.status !== 'open' || seconds <= 0 || !may.withdrawVote.allowed) return null;
  return (
    <>
      <Button variant="default" size="md" loading={send.isPending} onClick={() => send.mutate(undefined)}>
        {words.takeBack(seconds)}
      </Button>
      {send.isError && <ProblemNotice error={send.error} />}
    </>
  );
}
