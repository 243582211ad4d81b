import { revokeApproval } from '../../inbox/elicitations.ts';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import { ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import type { RequestPartProps } from '../MoreSteps/request-part-props.ts';
import { useSideStep } from '../use-side-step.ts';
import { revoking as words } from '../words/words.ts';
import classes from '../MoreSteps.module.css';

/** Takes an approval back until it begins to run; afterwards, what became of it. */
export function RevokeStep({ detail, reading, decision: { may } }: RequestPartProps) {
  const { id, digest, lapse } = detail;
  const send = useSideStep(detail, reading, { send: () => revokeApproval(id, { digest }), done: words.done });
  if (lapse !== null) return <p role="status">{words.lapses[lapse]}</p>;
  if (!may.revoke.allowed) return null;
  return (
    <div className={classes.line}>
      {send.isError && <ProblemNotice error={send.error} />}
      <p>{words.note}</p>
      <ReasonedButton
        permission={may.revoke}
        reasonId=""
        isQuiet
        isSending={send.isPending}
        onPress={() => send.mutate(undefined)}
      >
        {words.revoke}
      </ReasonedButton>
    </div>
  );
}
