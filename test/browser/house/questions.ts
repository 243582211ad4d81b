import type { OpenElicitation } from '#requests/asking/contract/open';

/** Questions as tools ask them, for the console's tests and pictures. */
export const transfer: OpenElicitation = {
  tool: {
    name: 'transfer_funds',
    title: 'Transfer of €12,400 to Müller Werkzeugbau',
    description: 'Moves money from the operating account. Cannot be undone once the bank has booked it.',
    annotations: { destructiveHint: true, idempotentHint: false, openWorldHint: true },
  },
  arguments: {
    amount: 12400,
    currency: 'EUR',
    from: 'DE02 1203 0000 0000 2020 51',
    invoice: { number: 'RE-2026-1183', dueOn: '2026-11-28', lines: ['Fräsköpfe 12 mm', 'Express delivery'] },
    isUrgent: true,
    memo: null,
    to: { iban: 'DE89 3704 0044 0532 0130 00', name: 'Müller Werkzeugbau GmbH' },
  },
  message: 'Pay invoice RE-2026-1183 of Müller Werkzeugbau now, three days before it is due?',
  reason: 'The supplier offers 2 % discount for early payment, and the balance covers it.',
  audience: 'approvers',
  requester: {
    subject: 'ada.lovelace@example.com',
    verified: true,
    client: { name: 'Claude Code', version: '2.1.212' },
  },
};

/** One field of every kind there is. */
export const everyField: OpenElicitation = {
  tool: { name: 'create_account', title: 'Create a customer account' },
  arguments: { plan: 'team', source: 'chat' },
  message: 'Which details should the new account have?',
  audience: 'approvers',
  requester: { subject: 'grace', verified: false },
  schema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Company name', minLength: 2, maxLength: 80, description: 'As in the register.' },
      contact: { type: 'string', title: 'Contact', format: 'email' },
      site: { type: 'string', title: 'Website', format: 'uri' },
      start: { type: 'string', title: 'First day', format: 'date' },
      call: { type: 'string', title: 'Welcome call', format: 'date-time' },
      seats: { type: 'integer', title: 'Seats', minimum: 1, maximum: 500, default: 25 },
      discount: { type: 'number', title: 'Discount in percent', minimum: 0, maximum: 40 },
      trial: { type: 'boolean', title: 'Start with a trial', default: true },
      region: {
        type: 'string',
        title: 'Region',
        oneOf: [
          { const: 'eu', title: 'Europe' },
          { const: 'us', title: 'United States' },
        ],
      },
      tier: { type: 'string', title: 'Support tier', enum: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] },
      kind: { type: 'string', title: 'Kind', enum: ['x', 'y'], enumNames: ['New', 'Returning'] },
      extras: {
        type: 'array',
        title: 'Extras',
        items: {
          anyOf: [
            { const: 'sso', title: 'Single sign-on' },
            { const: 'audit', title: 'Audit export' },
          ],
        },
        minItems: 1,
      },
      notes: { type: 'string', title: 'Notes', maxLength: 2000 },
    },
    required: ['name', 'contact', 'seats', 'trial', 'region', 'extras'],
  },
};

export const readOnly: OpenElicitation = {
  tool: { name: 'export_report', title: 'Quarterly report export', annotations: { readOnlyHint: true } },
  arguments: { quarter: '2026-Q3', format: 'pdf' },
  message: 'Export the quarterly report for the board?',
  audience: 'approvers',
  requester: { subject: 'linus@example.com', verified: true },
};

/** What hides: reordering, zero width, edges, an imitated name. */
export const disguised: OpenElicitation = {
  tool: { name: 'run_command', title: 'Run a shell command' },
  arguments: {
    command: 'echo safe \u202Etxt.exe',
    host: 'pаypal.com',
    key: 'a\u200Bb',
    path: ' /srv/data\u00A0',
  },
  message: 'Run this on the build machine?',
  reason: 'Only reads\u2066 a file.',
  audience: 'approvers',
  requester: { subject: 'mallory', verified: false },
};

export const tail = 'rm -rf /srv/production # the end';

/** 200 KB with what matters at its end. */
export const longArgument: OpenElicitation = {
  tool: { name: 'deploy', title: 'Deploy a script' },
  arguments: { script: `${'echo step\n'.repeat(20_000)}${tail}`, target: 'production' },
  message: 'Deploy this script to production?',
  audience: 'approvers',
  requester: { subject: 'ada.lovelace@example.com', verified: true },
};

export const addressed: OpenElicitation = {
  tool: { name: 'connect_calendar', title: 'Connect a calendar' },
  arguments: { calendar: 'team' },
  message: 'Sign in to the calendar service.',
  mode: 'url',
  url: 'https://xn--pypal-4ve.example:8443/authorize?client=assentry&state=8d1f0c2e',
  audience: 'approvers',
  requester: { subject: 'grace', verified: true },
};

/** Long words without a place to break, and text without spaces. */
export const wordy: OpenElicitation = {
  tool: {
    name: 'donaudampfschifffahrtsgesellschaftskapitaensmuetzenbestellung_ausfuehren',
    title: 'Donaudampfschifffahrtsgesellschaftskapitänsmützenbestellung ausführen',
  },
  arguments: { Bestellnummernübersichtsverzeichnis: 'Rindfleischetikettierungsüberwachungsaufgabenübertragung' },
  message: '请确认是否立即为所有客户执行本次年度账户余额结转操作并发送电子邮件通知给相关负责人',
  audience: 'approvers',
  requester: { subject: 'sachbearbeiterin.mit.sehr.langem.namen@verwaltungsgesellschaft.example', verified: true },
  schema: {
    type: 'object',
    properties: {
      grund: { type: 'string', title: 'Genehmigungsbegründungszusammenfassung', description: '请填写审批理由' },
    },
  },
};
