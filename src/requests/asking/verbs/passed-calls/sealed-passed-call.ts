import { sha256Hex } from '#platform/crypto/digest';
import type { KeyRing } from '#platform/crypto/key-ring';
import {
  newDataKey,
  openDataKey,
  openOwner,
  sealJson,
  sealOwner,
  unsealJson,
  type DataKey,
  type KeyOwner,
} from '#platform/crypto/seal';
import { Problem } from '#platform/model/problem';
import type { Requester } from '#people/directory/contract/user';
import type { PassedCallRow } from '#keeping/content/store';

/** What is kept of a call that ran by a pass; stored only sealed. */
export interface PassedContent {
  /** The arguments as JSON, cut if they are too long. */
  arguments: string;
  /** Characters of the whole JSON. */
  length: number;
  requester: Requester;
}

type SealedCall = Pick<PassedCallRow, 'id' | 'owner' | 'dataKey'>;

const place = (row: string, column: string, table = 'passed_call') => ({ table, column, row });

/** The content under a new key of its own, and its digest, which the call's entry has. */
export function sealPassed(ring: KeyRing, id: string, owner: KeyOwner, content: PassedContent) {
  const { dataKey, wrapped } = newDataKey(ring, owner);
  const sealed = sealJson(dataKey, place(id, 'arguments'), content);
  const row = { owner: sealOwner(ring, place(id, 'owner'), owner), dataKey: wrapped, arguments: sealed };
  return { row, said: sha256Hex(sealed) };
}

/** Throws `content-erased` if its key was destroyed, and `sealed-unreadable` for anything but what was sealed for this call. */
export const openPassed = (ring: KeyRing, row: SealedCall & Pick<PassedCallRow, 'arguments'>): PassedContent =>
  unsealJson(dataKeyOf(ring, row), place(row.id, 'arguments'), row.arguments) as PassedContent;

export const sealPassedReason = (ring: KeyRing, row: SealedCall, user: string, reason: string): Buffer =>
  sealJson(dataKeyOf(ring, row), place(`${row.id}.${user}`, 'reason', 'passed_look'), reason);

function dataKeyOf(ring: KeyRing, { id, owner, dataKey }: SealedCall): DataKey {
  if (!dataKey) throw new Problem('content-erased');
  return openDataKey(ring, dataKey, openOwner(ring, place(id, 'owner'), owner));
}
