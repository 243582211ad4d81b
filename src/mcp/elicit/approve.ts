import type { KeyFact } from '../../model/key-facts/key-fact.ts';
import type { Elicit } from './elicit.ts';

/**
 * Asks approvers whether the call may go on; true if they approve. `facts` are what they see next to the buttons. It
 * rejects as `elicit` does.
 */
export type Approve = (message: string, facts?: KeyFact[]) => Promise<boolean>;

export const createApprove =
  (elicit: Elicit): Approve =>
  async (message, facts) => {
    const { status } = await elicit(message, emptyForm, { approval: true, ...(facts && { facts }) });
    return status === 'accept';
  };

/** Asks for nothing but yes or no. */
export const emptyForm = { type: 'object', properties: {} } as const;
