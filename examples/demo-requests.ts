import type { OpenElicitation } from '../src/sdk/client/client.ts';
import type { groups, ServerName } from './demo-house.ts';

/** Numbers from 0 to 1, the same for the same seed. */
export type Draw = () => number;

export function drawFrom(seed: number): Draw {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

export const choose = <T>(draw: Draw, from: readonly T[]): T => from[Math.floor(draw() * from.length)] as T;

/** One kind of request: who asks what, how often, and which people decide it. */
export interface RequestKind {
  server: ServerName;
  /** How often among the others. */
  weight: number;
  /** Who decides; null if its policy does. */
  group: keyof typeof groups | null;
  /** How many of them it needs. */
  approvals: number;
  /** Milliseconds until it expires. */
  deadline: number;
  /** How much of it people approve. */
  approved: number;
  question(draw: Draw): Pick<OpenElicitation, 'tool' | 'arguments' | 'message'>;
}

const hour = 3_600_000;
const suppliers = ['Müller Werkzeugbau GmbH', 'Contoso Hosting', 'Fabrikam Logistics', 'Northwind Catering'] as const;
const services = ['checkout', 'search', 'invoicing', 'mailer'] as const;

const payment = (draw: Draw, amount: number) => {
  const to = choose(draw, suppliers);
  const invoice = `RE-2026-${1000 + Math.floor(draw() * 900)}`;
  return {
    tool: { name: 'pay_invoice', title: 'Pay an invoice' },
    arguments: { amount, currency: 'EUR', to, invoice },
    message: `Pay ${amount} EUR to ${to} for invoice ${invoice}?`,
  };
};

export const requestKinds: readonly RequestKind[] = [
  {
    server: 'billing',
    weight: 8,
    group: 'finance',
    approvals: 1,
    deadline: 8 * hour,
    approved: 0.85,
    question: (draw) => payment(draw, 50 + Math.floor(draw() * 4_900)),
  },
  {
    server: 'billing',
    weight: 2,
    group: 'finance',
    approvals: 2,
    deadline: 24 * hour,
    approved: 0.75,
    question: (draw) => payment(draw, 5_000 + Math.floor(draw() * 45_000)),
  },
  {
    server: 'infrastructure',
    weight: 7,
    group: 'operations',
    approvals: 1,
    deadline: 2 * hour,
    approved: 0.97,
    question(draw) {
      const service = choose(draw, services);
      const version = `2.${Math.floor(draw() * 40)}.${Math.floor(draw() * 9)}`;
      return {
        tool: { name: 'deploy', title: 'Deploy a service' },
        arguments: { service, version, environment: 'production' },
        message: `Deploy ${service} ${version} to production?`,
      };
    },
  },
  {
    server: 'infrastructure',
    weight: 1,
    group: 'operations',
    approvals: 1,
    deadline: 4 * hour,
    approved: 0.4,
    question(draw) {
      const volume = `vol-${Math.floor(draw() * 900 + 100)}`;
      return {
        tool: { name: 'delete_volume', title: 'Delete a volume', annotations: { destructiveHint: true } },
        arguments: { volume, region: 'eu-central-1' },
        message: `Delete ${volume}? Its snapshots are deleted as well.`,
      };
    },
  },
  {
    server: 'customers',
    weight: 6,
    group: null,
    approvals: 0,
    deadline: hour,
    approved: 1,
    question: (draw) => ({
      tool: { name: 'find_customer', title: 'Find a customer', annotations: { readOnlyHint: true } },
      arguments: { number: Math.floor(draw() * 90_000 + 10_000) },
      message: 'Look up one customer?',
    }),
  },
  {
    server: 'customers',
    weight: 1,
    group: null,
    approvals: 0,
    deadline: hour,
    approved: 0,
    question: () => ({
      tool: { name: 'export_customers', title: 'Export customers' },
      arguments: { format: 'csv', since: '2026-01-01' },
      message: 'Export all customers since January?',
    }),
  },
];

/** A kind, each as often as its weight says. */
export function chooseKind(draw: Draw): RequestKind {
  const all = requestKinds.flatMap((kind) => Array.from({ length: kind.weight }, () => kind));
  return choose(draw, all);
}

export const requesters = ['nadia', 'tom', 'li', 'fatima', 'billing-agent'] as const;
export const refusals = [
  'The amount does not match the order.',
  'Not today: there is a release freeze for this service.',
  'Wrong supplier. Ask again with the right account.',
  'Please ask the owner first.',
] as const;
