import type { Delivery } from '../../../../../src/contract/console/notification.ts';

/** The same thing told in one way to so many at about the same time. */
export type DeliveryGroup = Omit<Delivery, 'to'> & { to: Delivery['to'][] };
