import { z } from 'zod';
import type { PolicyDefaults } from '#protocol/model/policy';
import type { PolicyClause } from '#protocol/model/policy-clause';
import { chat } from './require/chat.ts';
import { confirmation } from './require/confirmation.ts';
import { deadline } from './require/deadline.ts';
import { editable } from './require/editable.ts';
import { facts } from './require/facts.ts';
import { freshSignIn } from './require/fresh-sign-in.ts';
import { grant } from './require/grant.ts';
import { justification } from './require/justification.ts';
import { notBefore } from './require/not-before.ts';
import { notify } from './require/notify.ts';
import { onTimeout } from './require/on-timeout.ts';
import { pace } from './require/pace.ts';
import { presence } from './require/presence.ts';
import { quietHours } from './require/quiet-hours.ts';
import { readingTime } from './require/reading-time.ts';
import { reminders } from './require/reminders.ts';
import { requester } from './require/requester.ts';
import { risk } from './require/risk.ts';
import { undo } from './require/undo.ts';

/** In the order in which they are listed and said. A term that is not here is an unknown key in every policy. */
export const termList = [
  requester,
  risk,
  deadline,
  onTimeout,
  reminders,
  quietHours,
  justification,
  confirmation,
  freshSignIn,
  presence,
  readingTime,
  pace,
  notBefore,
  editable,
  facts,
  undo,
  grant,
  chat,
  notify,
] as const;

type Listed = (typeof termList)[number];

/** Everything a requirement says apart from who must answer. */
export type Terms = { [T in Listed as T['key']]: z.output<T['schema']> };

export const termsShape = byKey(({ schema }) => schema) as { [T in Listed as T['key']]: T['schema'] };

/** The terms of a policy that says nothing of them. */
export const plainTerms: Terms = z.strictObject(termsShape).parse({});

/** Terms no weaker than each of the two, whatever the policies decide. */
export const stricterTerms = (first: Terms, second: Terms, defaults: PolicyDefaults): Terms =>
  byKey(({ key, stricter }) => stricter(first[key], second[key], defaults)) as Terms;

export const describeTerms = (terms: Terms): PolicyClause[] =>
  termList.flatMap(({ key, clauses }: AnyTerm) => clauses(terms[key], terms));

interface AnyTerm {
  key: keyof Terms;
  schema: z.ZodType;
  stricter(first: unknown, second: unknown, defaults: PolicyDefaults): unknown;
  clauses(value: unknown, others: object): PolicyClause[];
}

function byKey<T>(read: (term: AnyTerm) => T): Partial<Record<keyof Terms, T>> {
  return Object.fromEntries(termList.map((term: AnyTerm) => [term.key, read(term)]));
}
