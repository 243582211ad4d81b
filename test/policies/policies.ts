import { parsePolicy } from '#policies/language/rules/parse';
import { compileBook, type PolicyBook } from '#policies/deciding/rules/book';
import type { PolicyDocument, Rule } from '#policies/document/rules/document';

/** The policy this text is, which must be one. */
export function read(text: string): PolicyDocument {
  const parsed = parsePolicy(text);
  if (parsed.ok) return parsed.policy;
  throw new Error(parsed.errors.map(({ path, message, line }) => `${line}: ${path.join('.')}: ${message}`).join('\n'));
}

/** The only rule of the policy that this text is. */
export function readRule(text: string): Rule {
  const [only, second] = read(text).rules;
  if (!only || second) throw new Error('The policy must have one rule.');
  return only.rule;
}

/** A book of the first versions of these policies, written by the person `author`. */
export const bookOf = (...texts: string[]): PolicyBook =>
  compileBook(texts.map((text) => ({ document: read(text), version: 1, authorId: 'author' })));
