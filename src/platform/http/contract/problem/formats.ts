import { z } from 'zod';
import { idPattern, idPrefixes, type Id, type IdKind } from '../../../model/id.ts';

/** An id of this kind: what has passed is typed as one, which a pattern of zod's does not do by itself. */
export function idText<K extends IdKind>(kind: K): z.ZodType<Id<K>, string> {
  const text = z.string().regex(idPattern(kind), `Give an id from Assentry; it begins with ${idPrefixes[kind]}_.`);
  return text as unknown as z.ZodType<Id<K>, string>;
}

/** A SHA-256 digest. */
export const digest = z.string().regex(/^[0-9a-f]{64}$/, 'Give a SHA-256 digest: 64 hexadecimal digits in lower case.');
