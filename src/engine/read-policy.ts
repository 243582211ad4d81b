import { sha256 } from '../crypto/digest.ts';
import { Problem } from '../model/problem.ts';
import { describePolicy } from '../policy/describe-policy.ts';
import { parsePolicy } from '../policy/parse-policy.ts';
import type { PolicyDocument } from '../policy/policy-document.ts';

/** What a document says; problem `policy-invalid` with the place of everything wrong. */
export function readPolicy(document: string): PolicyDocument {
  const parsed = parsePolicy(document);
  if (parsed.ok) return parsed.policy;
  throw new Problem('policy-invalid', {
    errors: parsed.errors.map(({ path, message, line, column }) => {
      return { path: ['document', ...path], message: `Line ${line}, column ${column}: ${message}` };
    }),
  });
}

/** In plain words; of a document that can no longer be read, that it cannot. */
export function describeDocument(document: string): string[] {
  const parsed = parsePolicy(document);
  return parsed.ok ? describePolicy(parsed.policy) : ['This version cannot be read any more.'];
}

export const digestDocument = (document: string): string => sha256(document).toString('hex');
