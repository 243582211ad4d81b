import { deliveryFault, type DeliveryFault } from '../contract/delivery-fault.ts';

/** What to do about the code with which a delivery failed; null for one that says nothing to the operator. */
export function adviseDelivery(code: string): string | null {
  const fault = deliveryFault(code);
  return fault && advice[fault];
}

const advice: Record<DeliveryFault, string> = {
  address: 'if its network is yours, name it in ASSENTRY_WEBHOOK_NETWORKS at every node',
  expired: 'have its certificate renewed',
  'other-name': 'its certificate is for another name: correct the address',
  authority: 'name the authority of its certificate in NODE_EXTRA_CA_CERTS at every node',
  name: 'look whether the name is right, and whether nodes resolve it',
  unreachable: 'look whether it runs, and whether nodes reach it',
  credential: 'look whether it still takes this password, token or secret',
  gone: 'nothing is at this address any more: remove it, or add the right one',
  chat: 'give every node the settings of this chat',
};
