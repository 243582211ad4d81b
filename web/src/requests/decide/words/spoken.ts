import type { Signal } from '#requests/inbox/contract/signal';
import type { Delivery } from '#notify/contract/settings';

/** The same thing told in one way to so many at about the same time. */
export type DeliveryGroup = Omit<Delivery, 'to'> & { to: Delivery['to'][] };

/** A signal, with its time of day as the reader's clock shows it. */
export type SaidSignal = Exclude<Signal, { kind: 'hour' }> | (Extract<Signal, { kind: 'hour' }> & { time: string });
