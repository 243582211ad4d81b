import { Problem } from '#platform/model/problem';
import { parseStrictJson } from '#platform/crypto/strict-json';
import { hasHiddenCharacters } from '#platform/text/hidden-characters';
import type { ReadEvent, SaidFacts, SaidObject } from '../../providers/event.ts';
import { referencePattern } from '../../providers/expects.ts';
import { valueAt } from '../../providers/pointer.ts';
import type { OutcomeProvider } from '../../providers/provider.ts';
import type { Rule } from '../../providers/signed-events.ts';
import { fromMinor, isDecimal } from '../../providers/money.ts';
import { checkField, checkHeaders, type Checked, type Headers } from './signature.ts';

/** What an operator has set up, as far as events are read by it. */
export type Reader = Pick<OutcomeProvider, 'events' | 'signingSecrets' | 'accounts'>;

/** Most bytes of an event. */
const mostBytes = 512 * 1024;

/** Verifies and reads an event. A MAC over the body is verified before anything is parsed. */
export function readEvent(reader: Reader, body: Uint8Array, headers: Headers, now: number): ReadEvent {
  const { signed, items, id: places } = reader.events;
  if (body.byteLength > mostBytes) return refused('unreadable');
  const early: Checked | null =
    'field' in signed ? null : checkHeaders(signed, reader.signingSecrets, body, headers, now);
  if (early && 'fault' in early) return refused(early.fault);
  const document = parse(body);
  if (document === null) return refused('unreadable');
  if (items !== undefined && !isSingle(valueAt(document, items))) return refused('unreadable');
  const checked = 'field' in signed ? checkField(signed, reader.signingSecrets, document) : early;
  if (!checked || 'fault' in checked) return refused(checked?.fault ?? 'unsigned');
  const id = checked.id ?? nameOf(places.map((pointer) => valueAt(document, pointer)));
  return id === null ? refused('unreadable') : { state: 'read', event: { ...judge(reader, document), id } };
}

/** What the first rule that holds says of a document; nothing if none does. */
export function judge({ events, accounts }: Omit<Reader, 'signingSecrets'>, document: unknown): SaidObject {
  const rule = events.rules.find(({ when }) =>
    Object.entries(when).every(([pointer, value]) =>
      [value].flat().some((scalar) => scalar === valueAt(document, pointer)),
    ),
  );
  const facts = rule ? readFacts(rule, document, events.digits) : {};
  const [own] = accounts;
  const isOwn = rule?.facts.payee !== undefined && valueAt(document, rule.facts.payee) === undefined;
  return {
    verdict: rule?.verdict ?? 'nothing',
    reference: firstOf(document, events.reference, (text) => referencePattern.test(text)),
    object: firstOf(document, events.object, isName),
    facts: events.ownPayee && isOwn && own !== undefined ? { ...facts, payee: own } : facts,
  };
}

const refused = (why: Extract<ReadEvent, { state: 'refused' }>['why']): ReadEvent => ({ state: 'refused', why });

/** A JSON document that every reader reads the same; null for anything else. */
function parse(body: Uint8Array): object | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
    const value = parseStrictJson(text);
    return typeof value === 'object' ? value : null;
  } catch (error) {
    if (error instanceof Problem || error instanceof TypeError) return null;
    throw error;
  }
}

/** Of several items, one reader might see the first alone: so there may be one only. */
const isSingle = (value: unknown): boolean => Array.isArray(value) && value.length === 1;

/** One name of several values; null if one of them cannot be part of a name. */
function nameOf(values: readonly unknown[]): string | null {
  const parts = values.map(textOf);
  if (parts.length === 0 || parts.some((part) => part === null || !isName(part))) return null;
  return parts.length === 1 ? (parts[0] ?? null) : JSON.stringify(parts);
}

function firstOf(document: unknown, pointers: readonly string[], fits: (text: string) => boolean): string | null {
  for (const pointer of pointers) {
    const text = textOf(valueAt(document, pointer));
    if (text !== null && fits(text)) return text;
  }
  return null;
}

/** A fact that is not of its form is left out, and so differs from what was expected. */
function readFacts({ facts, minor }: Rule, document: unknown, digits: Readonly<Record<string, number>>): SaidFacts {
  const at = (pointer: string | undefined): unknown => (pointer === undefined ? undefined : valueAt(document, pointer));
  const currency = currencyOf(at(facts.currency));
  const number = textOf(at(facts.amount));
  const amount = minor ? number && currency && fromMinor(number, currency, digits) : number;
  const payee = textOf(at(facts.payee));
  const isLive = flagOf(at(facts.isLive));
  const hash = textOf(at(facts.document))?.toLowerCase();
  const signer = textOf(at(facts.signer));
  return {
    ...(amount && isDecimal(amount) && { amount }),
    ...(currency !== null && { currency }),
    ...(payee !== null && isName(payee) && { payee }),
    ...(isLive !== null && { isLive }),
    ...(hash !== undefined && /^[0-9a-f]{64}$/.test(hash) && { document: hash }),
    ...(signer !== null && isName(signer) && { signer }),
  };
}

const currencyOf = (value: unknown): string | null =>
  typeof value === 'string' && /^[A-Za-z]{3}$/.test(value) ? value.toUpperCase() : null;

const flagOf = (value: unknown): boolean | null =>
  value === true || value === 'true' ? true : value === false || value === 'false' ? false : null;

/** Numbers as well: the document is read only if each is kept exactly. */
const textOf = (value: unknown): string | null =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null;

/** Can it stand for something: a text that people would see all of? */
const isName = (text: string): boolean => text !== '' && text.length <= 320 && !hasHiddenCharacters(text);
