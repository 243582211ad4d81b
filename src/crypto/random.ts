import { randomBytes } from 'node:crypto';
import { type Id, type IdKind, idPrefixes } from '../model/id.ts';

/** A new id of 128 random bits. */
export const newId = <K extends IdKind>(kind: K): Id<K> =>
  `${idPrefixes[kind]}_${randomBytes(16).toString('base64url')}` as Id<K>;

/** 32 random bytes as base64url. */
export const randomSecret = (): string => randomBytes(32).toString('base64url');
