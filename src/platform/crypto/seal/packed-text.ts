import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Sealed text is a whole number of these, so that its length says less than that of the text itself. */
const step = 32;

/** The text in fewer bytes, if it looks like what is usually sealed. */
export function packText(text: string): Buffer {
  const packed = deflateRawSync(text, text.length > everyday ? { dictionary, chunkSize } : small);
  const padded = Buffer.alloc(Math.ceil(packed.length / step) * step);
  packed.copy(padded);
  return padded;
}

/** The text of `packText`; deflate itself says where it ends. */
export const unpackText = (packed: Uint8Array): string =>
  inflateRawSync(packed, { dictionary, chunkSize }).toString('utf8');

/** Characters of most texts: they need a small window and table, which cost less to make than the text to pack. */
const everyday = 4096;
/** A piece of output of this size comes from Node's pool of buffers. */
const chunkSize = 2048;

// What sealed questions, verdicts and answers have in common. It never changes: what was packed is read with it.
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
