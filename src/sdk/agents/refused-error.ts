import type { ElicitationState } from '../client/client.ts';
import { Problem } from '#protocol/model/problem';

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
    super('forbidden', { detail: comment === null ? sentences[status] : `${sentences[status]} Reason: ${comment}` });
    this.status = status;
  }
}

/** The error for a closed request; null if it was accepted. */
export const refusalOf = ({ status, comment }: ElicitationState): CallRefusedError | null =>
  status === 'accepted' || status === 'open' ? null : new CallRefusedError(status, comment);
