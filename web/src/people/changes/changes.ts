import { WaitingChange, type MadeAlone } from '#people/changes/contract';

/** An immediate change, or the request that waits for a second administrator. */
export type Changed = { alone?: MadeAlone | undefined } | WaitingChange;

export const isWaiting = (change: unknown): change is WaitingChange => WaitingChange.safeParse(change).success;
