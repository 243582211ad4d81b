import { z } from 'zod';
import type { PolicyDefaults } from '../../../contract/policy.ts';
import type { PolicyClause } from '../../../deciding/contract/clause.ts';
import { chat } from '../../../terms/chat.ts';
import { confirmation } from '../../../terms/confirmation.ts';
import { deadline } from '../../../terms/deadline.ts';
import { editable } from '../../../terms/editable.ts';
import { facts } from '../../../terms/facts.ts';
import { freshSignIn } from '../../../terms/fresh-sign-in.ts';
import { grant } from '../../../terms/grant.ts';
import { justification } from '../../../terms/justification.ts';
import { notBefore } from '../../../terms/not-before.ts';
import { notify } from '../../../terms/notify.ts';
import { onTimeout } from '../../../terms/on-timeout.ts';
import { pace } from '../../../terms/pace.ts';
import { presence } from '../../../terms/presence.ts';
import { quietHours } from '../../../terms/quiet-hours.ts';
import { readingTime } from '../../../terms/reading-time.ts';
import { reminders } from '../../../terms/reminders.ts';
import { requester } from '../../../terms/requester.ts';
import { risk } from '../../../terms/risk.ts';
import { undo } from '../../../terms/undo.ts';

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
