import type { Delivery } from '#notify/contract/settings';

/** The same thing told in one way to so many at about the same time. */
export type DeliveryGroup = Omit<Delivery, 'to'> & { to: Delivery['to'][] };
