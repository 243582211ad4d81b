import type { Delivery } from '#protocol/contract/console/notification';

/** The same thing told in one way to so many at about the same time. */
export type DeliveryGroup = Omit<Delivery, 'to'> & { to: Delivery['to'][] };
