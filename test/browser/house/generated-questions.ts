import type { OpenElicitation } from '#requests/asking/contract/open';
import { seeded } from '../../support/spellings.ts';

/** A request of any size, and what a person must see of it before they decide. */
export interface Generated {
  question: OpenElicitation;
  amount: string;
  payee: string;
  requester: string;
  /** A form with required fields keeps it from being approved at once. */
  isForm: boolean;
}

const seed = 20_261_122;

/** The same requests in each run: short and long, flat and nested, in several scripts, with and without named facts. */
export function generateQuestions(count: number): Generated[] {
  const below = seeded(seed);
  return Array.from({ length: count }, () => generate(below));
}

function generate(below: (most: number) => number): Generated {
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;
  const amount = (below(10_000_000) + 1) / 100;
  const payee = pick(payees);
  const requester = pick(requesters);
  const isNested = below(2) === 0;
  const isForm = below(4) === 0;
  const money = { amount, currency: pick(['EUR', 'USD', 'CHF']) };
  const transfer = isNested ? { payment: { ...money, payee: { name: payee } } } : { ...money, recipient: payee };
  const extra = Object.fromEntries(Array.from({ length: below(25) }, (_, at) => [`extra_${at}`, pick(sentences)]));
  const facts = [
    { label: pick(['Amount', 'Zu überweisender Betrag']), path: isNested ? '/payment/amount' : '/amount' },
    {
      label: pick(['Payee', 'Zahlungsempfängerin oder -empfänger']),
      path: isNested ? '/payment/payee/name' : '/recipient',
    },
  ];
  return {
    amount: `${amount}`,
    payee,
    requester,
    isForm,
    question: {
      tool: {
        name: `pay_${'invoice_'.repeat(below(14))}now`,
        ...(below(2) === 0 && { title: pick(sentences).slice(0, 150) }),
        annotations: { destructiveHint: below(3) > 0 },
      },
      arguments: { ...transfer, ...extra },
      message: Array.from({ length: 1 + below(6) }, () => pick(sentences)).join(pick([' ', '\n'])),
      ...(below(2) === 0 && { reason: pick(sentences).repeat(1 + below(8)) }),
      ...(below(2) === 0 && { facts }),
      audience: 'approvers',
      requester: { subject: requester, verified: below(2) === 0 },
      ...(isForm && { schema: form }),
    },
  };
}

const form = {
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: 13 }, (_, at) => [`field_${at}`, { type: 'string', title: `Field ${at}` }]),
  ),
  required: ['field_0', 'field_9'],
};

const payees = [
  'Bob',
  'Müller Werkzeugbau GmbH',
  'DE89 3704 0044 0532 0130 00',
  '东京电力株式会社 / 第三结算部',
  'Donaudampfschifffahrtsgesellschaftskapitänsmützenbetrieb',
  'accounts-payable+invoices@subsidiary.holding.example',
  'شركة النور للتجارة العامة',
];

const requesters = ['grace', 'ada.lovelace@example.com', 'sachbearbeitung.mit.langem.namen@verwaltung.example'];

const sentences = [
  'Pay it?',
  'Pay invoice RE-2026-1183 of Müller Werkzeugbau now, three days before it is due?',
  '请确认是否立即为所有客户执行本次年度账户余额结转操作并发送电子邮件通知给相关负责人',
  'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz',
  'The supplier offers 2 % discount for early payment, and the balance covers it; the ledger was closed on Friday.',
];
