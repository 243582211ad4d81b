import type { ElicitationState } from '../client/client.ts';
import { Problem } from '#protocol/model/problem';

const advice = {
  declined: 'Do not do the same in another way: ask the person you work for how to go on.',
  cancelled: 'Make this call again only if the person you work for wants it.',
  expired: 'Tell the person you work for; the same call would ask again.',
};
const sentences = {
  declined: 'Declined; nothing was run.',
  cancelled: 'The request was withdrawn; nothing was run.',
  expired: 'No one answered in time; nothing was run.',
};

/** People or a policy did not approve the call, and it did not run. The message is for the model. */
export class CallRefusedError extends Problem {
  override readonly name = 'CallRefusedError';
  readonly status: keyof typeof sentences;

  constructor(status: keyof typeof sentences, comment: string | null) {
    const reason = comment === null ? '' : ` Reason: ${comment}`;
    super('forbidden', { detail: `${sentences[status]}${reason} ${advice[status]}` });
    this.status = status;
  }
}

/** The error for a closed request; null if it was accepted. */
export const refusalOf = ({ status, comment }: ElicitationState): CallRefusedError | null =>
  status === 'accepted' || status === 'open' ? null : new CallRefusedError(status, comment);
