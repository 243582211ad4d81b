import type { PolicyClause } from '../deciding/contract/clause.ts';
import { describePolicy } from '../deciding/rules/describe.ts';
import { sha256Hex } from '#platform/crypto/digest';
import { Problem } from '#platform/model/problem';
import { commandFaults, lookalikeWarnings } from '../language/rules/faults.ts';
import { parsePolicies, parsePolicy, type PolicyError } from '../language/rules/parse.ts';
import type { PolicyDocument } from '../document/rules/document.ts';

/** Reads a new document; problem `policy-invalid` with the place of every fault. */
export function readPolicy(document: string): PolicyDocument {
  const parsed = parsePolicy(document, { isNew: true });
  if (parsed.ok) return parsed.policy;
  throw new Problem('policy-invalid', {
    errors: parsed.errors.map(({ path, message, line, column }) => {
      return { path: ['document', ...path], message: `Line ${line}, column ${column}: ${message}` };
    }),
  });
}

/** Clauses of a document; one that can no longer be read has a clause that says so. */
export const describeDocument = (document: string): PolicyClause[] => [...summaryOf(document).terms];

/** Does this document retire its policy? */
export const retires = (document: string): boolean => summaryOf(document).isRetiring;

interface Summary {
  terms: readonly PolicyClause[];
  isRetiring: boolean;
}

/** Cached by text, because each look at a list of policies asks for all of them. */
const summaries = new Map<string, Summary>();

const maxSummaries = 1_000;

function summaryOf(document: string): Summary {
  const cached = summaries.get(document);
  if (cached) return cached;
  const parsed = parsePolicy(document);
  const summary: Summary = parsed.ok
    ? {
        terms: [...describePolicy(parsed.policy), ...outdated(parsed.policy)],
        isRetiring: parsed.policy.retired !== null,
      }
    : { terms: [{ kind: 'unreadable' }], isRetiring: false };
  if (summaries.size >= maxSummaries) summaries.clear();
  summaries.set(document, summary);
  return summary;
}

/** Clauses that a new version may no longer have. */
const outdated = (policy: PolicyDocument): PolicyClause[] =>
  commandFaults(policy).length > 0 ? [{ kind: 'commands-by-part' }] : [];

export const digestDocument = (document: string): string => sha256Hex(document);

/** One fault, with its key and its place in the text. */
export type DocumentFault = PolicyError;

/** Every policy of a text that may hold several, separated by `---`; or every fault with its place in the text. */
export function checkDocuments(text: string) {
  const parsed = parsePolicies(text);
  if (!parsed.ok) return { faults: parsed.errors, documents: [], policies: [], warnings: [] };
  const documents = parsed.policies.length === 1 ? [text] : splitDocuments(text);
  const policies = parsed.policies.map((policy) => ({ name: policy.policy, terms: describePolicy(policy) }));
  return { faults: [] as DocumentFault[], documents, policies, warnings: lookalikeWarnings(text) };
}

/**
 * In YAML, three dashes at the beginning of a line always separate two documents. A part with only comments is none.
 */
const splitDocuments = (text: string): string[] =>
  text
    .split(/^---(?=\s|$)/m)
    .map((document) => `${document.trim()}\n`)
    .filter((document) => document.split('\n').some((line) => /^\s*[^#\s]/.test(line)));
