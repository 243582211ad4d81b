import type { Signal } from '#requests/inbox/contract/inbox';

/** A signal, with its time of day as the reader's clock shows it. */
export type SaidSignal = Exclude<Signal, { kind: 'hour' }> | (Extract<Signal, { kind: 'hour' }> & { time: string });
