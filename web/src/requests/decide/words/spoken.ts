import type { Signal } from '#requests/inbox/contract/signal';
import type { Delivery } from '#notify/contract/settings';

/** The same notification to several people by one channel at about the same time. */
export type DeliveryGroup = Omit<Delivery, 'to'> & { to: Delivery['to'][] };

/** A signal, with its time of day by the reader's clock. */
export type SaidSignal = Exclude<Signal, { kind: 'hour' }> | (Extract<Signal, { kind: 'hour' }> & { time: string });
