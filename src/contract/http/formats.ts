import { z } from 'zod';
import { idPattern, idPrefixes, type IdKind } from '../../model/id.ts';

/** An id of this kind. */
export const idText = (kind: IdKind) =>
  z.string().regex(idPattern(kind), `Give an id from Assentry; it begins with ${idPrefixes[kind]}_.`);

/** A SHA-256 digest. */
export const digest = z.string().regex(/^[0-9a-f]{64}$/, 'Give a SHA-256 digest: 64 hexadecimal digits in lower case.');
