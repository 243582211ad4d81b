import type { ElicitationState } from '../../client/client.ts';
import { Problem } from '#platform/model/problem';
import { refusals } from '../../mcp/elicit/request/approve.ts';

const endings = {
  ...refusals,
  expired: {
    sentence: 'No one answered in time; nothing was run.',
    advice: 'Tell the person you work for; the same call would ask again.',
  },
};

/** People or a policy did not approve the call, and it did not run. The message is for the model. */
export class CallRefusedError extends Problem {
  override readonly name = 'CallRefusedError';
  readonly status: keyof typeof endings;

  constructor(status: keyof typeof endings, comment: string | null) {
    const { sentence, advice } = endings[status];
    const reason = comment === null ? '' : ` Reason: ${comment}`;
    super('forbidden', { detail: `${sentence}${reason} ${advice}` });
    this.status = status;
  }
}

/** The error for a closed request; null if it was accepted. */
export const refusalOf = ({ status, comment }: ElicitationState): CallRefusedError | null =>
  status === 'accepted' || status === 'open' ? null : new CallRefusedError(status, comment);
