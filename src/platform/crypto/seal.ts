import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { Problem } from '../model/problem.ts';
import { decrypt, encrypt } from './aes-gcm.ts';
import { canonicalJson, joinParts } from './digest.ts';
import { equalBytes } from './random.ts';
import { expandKeys, type KeyRing, closeBox, openBox } from './key-ring.ts';

/** Unit of the length of sealed text, so that it reveals less of the text's own length. */
const step = 32;

/** The text in fewer bytes, if it resembles typical sealed text. */
function packText(text: string): Buffer {
  const packed = deflateRawSync(text, text.length > everyday ? { dictionary, chunkSize } : small);
  const padded = Buffer.alloc(Math.ceil(packed.length / step) * step);
  packed.copy(padded);
  return padded;
}

/** The text of `packText`; deflate itself says where it ends. */
export const unpackText = (packed: Uint8Array): string =>
  inflateRawSync(packed, { dictionary, chunkSize }).toString('utf8');

/**
 * Length in characters of most texts: they need a small window and table, which are cheaper to make than the text is to pack.
 */
const everyday = 4096;
/** Size of output that comes from Node's pool of buffers. */
const chunkSize = 2048;

// Common parts of sealed questions, verdicts and answers. Never change it: packed texts are read with it.
const dictionary = Buffer.from(
  '"escalation":{"steps":[{"after":"mode":"add","replace"}],"loops":1,"end":"wait","deny"},"constraint":"budget":"uses":' +
    '"kind":"group","kind":"user","id":"usr_","kind":"manager","kind":"owner","fraction":"text":"holds":true},' +
    '"result":"not-applied","failure":null,"decided":true,"clauses":[{"text":"tool == \\"","holds":false},' +
    '"result":"applied","format":"email","minimum":"maximum":"minLength":"maxLength":"enum":"oneOf":[{"const":"' +
    '"type":"string","type":"integer","type":"number","default":"description":"' +
    '{"policy":"built-in@1","stages":[{"name":"Approval","complete":"all","groups":[{"name":"Approval","approve":{"count":1},' +
    '"deny":1,"approvers":[{"kind":"anyone"}],"meaning":"approved"}],"escalation":null,"separation":{"agentOwner":false,' +
    '"earlierVoters":false,"editor":false},"excluded":[]}],"freeze":[],"frozen":[],"requester":null,"risk":"high",' +
    '"deadline":null,"onTimeout":"expire","reminders":[],"quietHours":null,"notBefore":false,"justification":{"requester":[],' +
    '"approver":[]},"freshSignIn":null,"editable":null,"facts":[],"undo":null,"grant":null,"chat":null,"outcome":"require",' +
    '"audience":"approvers","reason":null,"explanation":{"policy":"built-in@1","outcome":"require","terms":[{"kind":"stage",' +
    '"position":null,"name":"Approval","complete":"all","groups":[{"name":"Approval","need":{"count":1},"approvers":' +
    '[{"kind":"anyone"}],"meaning":"approved","deny":1}]},{"kind":"separation","excluded":["requester"]}],"considered":[]}}' +
    '{"message":"","schema":{"type":"object","properties":{"approved":{"type":"boolean","title":""}},"required":[""]},' +
    '"url":null,"facts":[],"reason":null,"audience":null,"requester":{"subject":"","verified":true},' +
    '"takesEdits":false,"arguments":"{\\"\\":\\",\\"\\":","tool":{"title":"","description":"",' +
    '"annotations":{"readOnlyHint":false,"destructiveHint":true},"schemaDigest":null},"nonce":"","code":null}' +
    '{"content":{},"comment":null}',
);

const small = { dictionary, chunkSize, windowBits: 13, memLevel: 6 };

/** The owner of a data key: the MCP server, and its session id or, without sessions, the principal. */
export interface KeyOwner {
  server: string;
  session: string;
}

/** The place of a sealed value. It opens nowhere else. */
export interface SealedPlace {
  table: string;
  column: string;
  row: string;
}

/** The opened key of one elicitation. Both parts come from the wrapped key, which has no other use. */
export interface DataKey {
  /** Identifies this key; stored before everything sealed under it. */
  readonly commitment: Buffer;
  /** Encrypts; never leaves this folder. */
  readonly payloadKey: KeyObject;
}

/** A new random data key, and its stored form. Destroying the stored form erases everything sealed under it. */
export function newDataKey(ring: KeyRing, owner: KeyOwner): { dataKey: DataKey; wrapped: Buffer } {
  const bytes = randomBytes(dataKeyLength);
  return { dataKey: expandDataKey(bytes), wrapped: wrap(ring, owner, bytes) };
}

/** Opens a stored data key for its owner; anything else is `sealed-unreadable`. */
export const openDataKey = (ring: KeyRing, wrapped: Uint8Array, owner: KeyOwner): DataKey =>
  expandDataKey(unwrap(ring, owner, wrapped));

/** Seals the same data key under the active secret. Values sealed under it stay as they are. */
export const rewrapDataKey = (ring: KeyRing, wrapped: Uint8Array, owner: KeyOwner): Buffer =>
  wrap(ring, owner, unwrap(ring, owner, wrapped));

/** The keys of a row of this table under the active secret; the values they seal stay unchanged. */
export function rewrapKeys(
  ring: KeyRing,
  table: string,
  { id, owner, dataKey }: { id: string; owner: Uint8Array; dataKey: Uint8Array },
) {
  const place = { table, column: 'owner', row: id };
  const whose = openOwner(ring, place, owner);
  return { owner: sealOwner(ring, place, whose), dataKey: rewrapDataKey(ring, dataKey, whose) };
}

/** Seals a value for one place, as version ‖ commitment ‖ nonce ‖ ciphertext ‖ tag. */
export function seal(dataKey: DataKey, place: SealedPlace, plaintext: Uint8Array | string): Buffer {
  const encrypted = encrypt(dataKey.payloadKey, boundTo(place, dataKey), plaintext);
  return Buffer.concat([Buffer.of(version), dataKey.commitment, encrypted]);
}

/** Opens a value sealed under this key for this place. Anything else is `sealed-unreadable`. */
export function unseal(dataKey: DataKey, place: SealedPlace, sealed: Uint8Array): Buffer {
  // With GCM alone, one ciphertext could open under two keys.
  const isCommitted = equalBytes(sealed.subarray(1, headerLength), dataKey.commitment);
  if (!isCommitted || sealed[0] !== version) throw new Problem('sealed-unreadable');
  return decrypt(dataKey.payloadKey, boundTo(place, dataKey), sealed.subarray(headerLength));
}

/**
 * Seals a JSON value, packed but unchanged, so that a form keeps the order of its fields. Each value is packed alone: its
 * length does not depend on others' questions.
 */
export const sealJson = (dataKey: DataKey, place: SealedPlace, value: unknown): Buffer =>
  sealText(dataKey, place, JSON.stringify(value));

/** Seals JSON that is already written. */
export const sealText = (dataKey: DataKey, place: SealedPlace, json: string): Buffer =>
  seal(dataKey, place, packText(json));

export const unsealJson = (dataKey: DataKey, place: SealedPlace, sealed: Uint8Array): unknown =>
  JSON.parse(unpackText(unseal(dataKey, place, sealed)));

/** Seals a row's owner under the ring itself, because the row's data key opens only with that owner. */
export const sealOwner = (ring: KeyRing, place: SealedPlace, { server, session }: KeyOwner): Buffer =>
  closeBox(ring, 'owner', placeParts(place), canonicalJson({ server, session }));

/** Opens the owner of a row. Anything but the result of `sealOwner` for this place is `sealed-unreadable`. */
export const openOwner = (ring: KeyRing, place: SealedPlace, sealed: Uint8Array): KeyOwner =>
  JSON.parse(openBox(ring, 'owner', placeParts(place), sealed).toString('utf8'));

const version = 1;
const dataKeyLength = 32;
const headerLength = 1 + 32;

const wrap = (ring: KeyRing, { server, session }: KeyOwner, bytes: Uint8Array): Buffer =>
  closeBox(ring, 'wrap', [server, session], bytes);

const unwrap = (ring: KeyRing, { server, session }: KeyOwner, wrapped: Uint8Array): Buffer =>
  openBox(ring, 'wrap', [server, session], wrapped);

function expandDataKey(bytes: Uint8Array): DataKey {
  const [commitment, payloadKey] = expandKeys(bytes, ['commit', 'payload']); // random already
  return { commitment, payloadKey: createSecretKey(payloadKey) };
}

// The commitment is the data key's kid.
const boundTo = (place: SealedPlace, { commitment }: DataKey): Buffer =>
  joinParts(Buffer.of(version), ...placeParts(place), commitment);

const placeParts = ({ table, column, row }: SealedPlace): string[] => [table, row, column];
