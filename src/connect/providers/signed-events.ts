import { z } from 'zod';
import { formatFault } from './fault.ts';
import { Address } from './address.ts';
import { Pointer } from './pointer.ts';

/** What a provider says happened: at the end, on the way to it, or nothing that matters. */
export const verdicts = ['accept', 'decline', 'cancel', 'pending', 'nothing'] as const;

const Header = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/, 'Name a header in small letters.');
const Part = z.string().regex(/^[a-z0-9]{1,16}$/, 'Name a part by small letters and digits.');

/** What the secret's text is: the key itself, or the key written in hex or base64, after a `whsec_` if there is one. */
const keyTexts = ['plain', 'hex', 'base64'] as const;

/** A MAC over the raw body, in a header. */
const HeaderScheme = z
  .strictObject({
    header: Header,
    /** Names in a header of the form `t=1492774577,v1=…,v1=…`; one of its MACs must hold. */
    parts: z.strictObject({ time: Part, mac: Part }).optional(),
    /** What comes before each MAC, such as `sha256=`. */
    prefix: z.string().min(1).max(32).optional(),
    /** What separates several MACs in a header without parts; one of them must hold. */
    separator: z.literal(' ').optional(),
    over: z.enum(['{body}', '{time}.{body}', '{id}.{time}.{body}']),
    /** Header of the time in seconds since 1970, unless it is one of the parts. */
    timeHeader: Header.optional(),
    /** Header of the event's id. */
    idHeader: Header.optional(),
    mac: z.literal('sha256'),
    text: z.enum(['hex', 'base64']),
    keyText: z.enum(keyTexts).default('plain'),
    /** Seconds by which the time may differ from now. */
    within: z.int().min(1).max(86_400).default(300),
  })
  .superRefine(({ over, parts, timeHeader, idHeader }, { addIssue }) => {
    const fault = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message });
    const hasTime = over.includes('{time}');
    const places = [parts, timeHeader].filter((place) => place !== undefined);
    if (hasTime && places.length !== 1) fault('timeHeader', 'Say where the time is: in a part or in a header.');
    if (!hasTime && timeHeader !== undefined) fault('timeHeader', 'Leave it out: the MAC does not cover the time.');
    if (!hasTime && parts !== undefined) fault('parts', 'Leave it out: the MAC does not cover the time.');
    if (over.includes('{id}') !== (idHeader !== undefined))
      fault('idHeader', 'Name the header of the id if, and only if, the MAC covers it.');
  });
export type HeaderScheme = z.output<typeof HeaderScheme>;

/** A MAC in the body, over some of its values, joined by colons. What it does not cover is never read. */
const FieldScheme = z.strictObject({
  field: Pointer,
  over: z.array(Pointer).min(1).max(50),
  mac: z.literal('sha256'),
  text: z.enum(['hex', 'base64']).default('base64'),
  keyText: z.enum(keyTexts).default('hex'),
});
export type FieldScheme = z.output<typeof FieldScheme>;

type SchemeInput = 'standard-webhooks' | z.input<typeof HeaderScheme> | z.input<typeof FieldScheme>;

/** Standard Webhooks as data: its header has the form `v1,… v1,…`. */
const standardWebhooks: HeaderScheme = {
  header: 'webhook-signature',
  prefix: 'v1,',
  separator: ' ',
  over: '{id}.{time}.{body}',
  timeHeader: 'webhook-timestamp',
  idHeader: 'webhook-id',
  mac: 'sha256',
  text: 'base64',
  keyText: 'base64',
  within: 300,
};

/** How a provider signs. Each form is judged alone, so that a fault is named at its place. */
const Scheme = z
  .custom<SchemeInput>(
    (value) => value === 'standard-webhooks' || (typeof value === 'object' && value !== null),
    'Give an object, or "standard-webhooks".',
  )
  .transform((value, context): HeaderScheme | FieldScheme => {
    if (value === 'standard-webhooks') return standardWebhooks;
    const form = 'field' in value ? FieldScheme : HeaderScheme;
    const { data, error } = form.safeParse(value, { error: formatFault });
    if (data) return data;
    for (const issue of error.issues) context.addIssue({ ...issue });
    return z.NEVER;
  });

const Scalar = z.union([z.string().max(256), z.number(), z.boolean(), z.null()]);

const factNames = ['amount', 'currency', 'payee', 'isLive', 'document', 'signer'] as const;

/** The first rule whose `when` holds says what an object means; without one it means nothing. */
const Rule = z
  .strictObject({
    /** Values by place: equal to this one, or to one of these. */
    when: z
      .record(
        Pointer,
        z.union([Scalar, z.array(Scalar).min(1).max(50)], 'Give a text, a number, true, false or a list.'),
      )
      .refine((when) => Object.keys(when).length > 0, 'Say when the rule holds.'),
    verdict: z.enum(verdicts),
    facts: z.partialRecord(z.enum(factNames), Pointer).default({}),
    /** Is the amount in the minor unit of its currency, such as cents? */
    minor: z.boolean().default(false),
  })
  .refine(({ facts }) => facts.amount === undefined || facts.currency !== undefined, {
    path: ['facts', 'currency'],
    message: 'Say where the currency of the amount is.',
  });
export type Rule = z.output<typeof Rule>;

/** An API by which objects are made and looked up. */
const Api = z.strictObject({
  /** The code for it in `connect/outcomes/wiring`. */
  name: z.enum(['stripe', 'docusign']),
  /** Absent if each operator has another one. */
  url: Address.optional(),
});
export type ApiName = z.output<typeof Api>['name'];

/** Does Assentry make objects by it? It looks them up by each. */
const makingApis: Record<ApiName, boolean> = { stripe: true, docusign: false };

/** How a provider reports what happened, and what its reports mean. */
export const Events = z
  .strictObject({
    kinds: z.array(z.enum(['payment', 'signature'])).min(1, 'Say what it reports: payment or signature.'),
    signed: Scheme,
    /** A list of items in each event. One that has not exactly one item is unreadable: the pointers name its first. */
    items: Pointer.optional(),
    /** The values that together name an event, if no header does. */
    id: z.array(Pointer).max(4).default([]),
    /** Where Assentry's reference may be; the first value of its form counts. */
    reference: z.array(Pointer).min(1).max(20),
    /** Where the provider's id of the object may be; empty if its reports do not repeat the id it was made with. */
    object: z.array(Pointer).max(20),
    rules: z.array(Rule).min(1).max(50),
    /** Digits of minor units where the provider departs from ISO 4217. */
    digits: z.record(z.string().regex(/^[A-Z]{3}$/, 'Give a currency such as EUR.'), z.int().min(0).max(6)).default({}),
    /** Is a report that names no payee about the operator's own, the first of `accounts`? */
    ownPayee: z.boolean().default(false),
    /** How long an outcome can stay pending. */
    settlesWithin: z.string().regex(/^[1-9]\d{0,2}[hd]$/, 'Give hours or days such as 14d.'),
    api: Api.optional(),
  })
  .superRefine((events, { addIssue }) => {
    const { signed, id, kinds, rules } = events;
    const fault = (path: (string | number)[], message: string) => addIssue({ code: 'custom', path, message });
    const hasHeader = 'idHeader' in signed && signed.idHeader !== undefined;
    if (hasHeader !== (id.length === 0))
      fault(['id'], hasHeader ? 'Leave it out: a header has the id.' : 'Say where the id of the event is.');
    rules.forEach(({ verdict, facts }, index) => {
      const isPaid = verdict === 'accept' && kinds.every((kind) => kind === 'payment');
      if (isPaid && facts.amount === undefined) fault(['rules', index, 'facts', 'amount'], 'Say where the amount is.');
    });
    if ('field' in signed)
      for (const [path, pointer] of pointersOf(events))
        if (!signed.over.includes(pointer)) fault(path, 'Read only what the MAC covers.');
  });
export type Events = z.output<typeof Events>;

/** Do its reports say this? */
export const says = ({ rules }: Pick<Events, 'rules'>, fact: (typeof factNames)[number]): boolean =>
  rules.some(({ facts }) => facts[fact] !== undefined);

/** Can Assentry make what is paid or signed, with a key of the API? Otherwise the author makes it. */
export const canMake = ({ api }: Pick<Events, 'api'>): boolean => api !== undefined && makingApis[api.name];

/** Each pointer by which something is read, with its place. */
function pointersOf({ id, reference, object, rules }: Pick<Events, 'id' | 'reference' | 'object' | 'rules'>) {
  const places: [(string | number)[], string][] = [];
  for (const [name, pointers] of Object.entries({ id, reference, object }))
    pointers.forEach((pointer, index) => places.push([[name, index], pointer]));
  rules.forEach(({ when, facts }, index) => {
    for (const pointer of Object.keys(when)) places.push([['rules', index, 'when', pointer], pointer]);
    for (const [name, pointer] of Object.entries(facts)) places.push([['rules', index, 'facts', name], pointer]);
  });
  return places;
}
