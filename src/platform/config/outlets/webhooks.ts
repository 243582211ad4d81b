import type { WebhookReach } from '#notify/webhooks/contract/webhook';
import { refuseVariable } from '../config.ts';
import type { Environment } from '../env.ts';
import { isNetwork } from '../serving/proxies.ts';

/** What webhooks can reach; problem `config-invalid` names what is no network. */
export function readWebhooks({ ASSENTRY_WEBHOOK_NETWORKS: text }: Environment): WebhookReach {
  const networks = text === undefined ? [] : text.split(',').map((network) => network.trim());
  const wrong = networks.find((network) => !network.includes('/') || !isNetwork(network));
  if (wrong === undefined) return { networks };
  const allowed = 'give networks such as 10.0.0.0/8 or 192.168.7.9/32, separated by commas';
  throw refuseVariable('ASSENTRY_WEBHOOK_NETWORKS', JSON.stringify(wrong), allowed);
}
