import {
  bigint,
  boolean,
  bytes,
  defineTable,
  integers,
  later,
  text,
  texts,
  time,
  uncovered,
} from '#platform/database/sql';

export const passkeyTable = defineTable('passkey', {
  id: text(),
  userId: text(),
  credentialId: text(),
  publicKey: bytes(),
  transports: texts(),
  aaguid: text(),
  isBackedUp: boolean(),
  name: text(),
  issuedById: text<string | null>(),
  entryId: text(),
  addedAt: time(),
  removedAt: time<number | null>(),
  counter: uncovered('it only warns of a copied device', bigint()),
  usedAt: uncovered('no entry records each use', time<number | null>()),
  isSyncable: later(boolean<boolean | null>()),
});

/** An authenticator app. */
export const totpTable = defineTable('totp', {
  id: text(),
  userId: text(),
  issuedById: text<string | null>(),
  addedAt: time(),
  removedAt: time<number | null>(),
  sealed: uncovered('it opens for this row and person alone', bytes<Uint8Array | null>()),
  lastStep: uncovered('it keeps codes from counting twice, and no entry records each', bigint()),
  usedCodes: uncovered('as the last step', integers()),
});
