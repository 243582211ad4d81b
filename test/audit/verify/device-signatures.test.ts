import { afterAll, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { keptHead } from '#audit/tree/rules/checkpoint';
import { readEntry } from '#audit/entries/rules/entry';
import { inclusionProof, nodesIn, proofTiles } from '#audit/tree/rules/merkle';
import { checkpointIn, signedEntriesIn, writeReceipt, type SignedEntry } from '#audit/receipts/rules';
import { sealVerdict } from '#requests/asking/verbs/question';
import { passkeysIn, unsignedFault } from '#audit/verify/verbs/verify-state';
import { connectClient } from '#platform/database/connection';
import { signedInUser } from '#access/sign-in/verbs/sessions';
import { castVote } from '#requests/voting/verbs';
import type { ElicitationId } from '#platform/model/id';
import { startProgram } from '../../cli/assentry-process.ts';
import type { Authenticator } from '../../support/nodes/authenticator.ts';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { sequenceAll, verify } from '../../support/nodes/log.ts';
import { startNamedHouse } from '../../support/nodes/named-house.ts';
import { newFolder } from '../../support/new-folder.ts';
import { entryOf } from '../../support/databases/rows.ts';

const policy = `policy: pay
match: { tool: pay_invoice }
require: { stages: [{ name: Three, approvers: anyone, approve: 3 }], presence: passkey }`;

let people: Browser[] = [];
let phones: Authenticator[] = [];
const house = await startNamedHouse();
afterAll(() => house.stop());
for (let count = 0; count < 4; count += 1) people.push(await openBrowser(house.nodes[0], 'approver', 'password'));
for (const person of people) phones.push((await house.enrol(person)).device);
await house.nodes[0].applyPolicies([policy]);

type Asked = { id: ElicitationId; digest: string };
const ask = async (): Promise<Asked> =>
  (await house.asking.open({ tool: { name: 'pay_invoice' }, arguments: { to: 'DE02', amount: 40 } })) as Asked;

/** Three people approve; the receipt of it. */
async function approved(): Promise<string> {
  const request = await ask();
  for (const at of [0, 1, 2]) {
    const answer = await house.approve(people[at]!, phones[at]!, request);
    expect(answer.status).toBe(200);
  }
  const answer = await house.call(people[0]!, 'GET', `/api/elicitations/${request.id}/receipt`);
  expect(answer.status).toBe(200);
  return answer.text();
}

/** Without a server, a secret or a setting. */
async function verifyAlone(receipt: string) {
  const cwd = newFolder('stranger');
  const file = path.join(cwd, 'receipt.tlog-proof');
  writeFileSync(file, receipt);
  const [key = ''] = (await house.nodes[0].logKeys()).keys.map(({ key }) => key);
  return startProgram(['src/cli/main.ts', 'receipt', 'verify', file, '--key', key], { cwd }).ended;
}

const mark = /\ndevice-signatures@v1 (.*)\n$/;
interface Signed {
  vote: { entry: string };
  signature: string;
}
/** The receipt with other device signatures. */
const withOther = (receipt: string, change: (signed: Signed[]) => Signed[]): string => {
  const signed = JSON.parse(Buffer.from(mark.exec(receipt)?.[1] ?? '', 'base64').toString()) as Signed[];
  const changed = Buffer.from(JSON.stringify(change(signed))).toString('base64');
  return receipt.replace(mark, `\ndevice-signatures@v1 ${changed}\n`);
};
const voteIn = ({ vote }: Signed): string =>
  (JSON.parse(Buffer.from(vote.entry, 'base64').toString()) as { vote: string }).vote;

test('a stranger verifies that three devices signed, offline, and is told which one was exchanged', async () => {
  const receipt = await approved();
  const genuine = await verifyAlone(receipt);
  expect([genuine.code, genuine.stderr]).toEqual([0, '']);
  for (const { user } of people.slice(0, 3))
    expect(genuine.stdout).toContain(`APPROVED by the person ${user.id} on their device`);
  expect(genuine.stdout.match(/^Signed: /gm)).toHaveLength(3);
  let exchanged = '';
  const tampered = withOther(receipt, ([first, second, third]) => {
    exchanged = voteIn(second!);
    return [first!, { ...second!, signature: first!.signature }, third!];
  });
  const refused = await verifyAlone(tampered);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain(exchanged);
});

test.each<[string, (signed: Signed[]) => Signed[], RegExp]>([
  ['the signature of the deciding vote is left out', (signed) => signed.slice(0, 0), /deciding vote signed is missing/],
  ['one is of another request', (signed) => signed, /not in the log|another request/],
  ['one stands in it twice, to be counted twice', ([first, ...rest]) => [first!, first!, ...rest], /stands twice/],
  [
    'a bit of one is another',
    ([first, ...rest]) => [{ ...first!, signature: first!.signature.replace('"nonce":"', '"nonce":"A') }, ...rest],
    /did not sign the vote vot_/,
  ],
])('a receipt is not trusted if %s', async (name, change, reason) => {
  const [receipt, other] = [await approved(), await approved()];
  const changed = withOther(name.includes('another request') ? receipt : other, change);
  const mixed = name.includes('another request')
    ? other.replace(mark, `\n${mark.exec(changed)?.[0].trim()}\n`)
    : changed;
  const { code, stderr } = await verifyAlone(mixed);
  expect([code === 0, stderr]).toEqual([false, expect.stringMatching(reason)]);
  const reviewer = await openBrowser(house.nodes[0], 'reviewer');
  const answer = await house.call(reviewer, 'POST', '/api/audit/receipts', { receipt: mixed });
  expect(await answer.json()).toMatchObject({ verdict: 'altered' });
});

test('a receipt is not trusted if programs could read its signatures differently', async () => {
  const receipt = await approved();
  const text = Buffer.from(mark.exec(receipt)?.[1] ?? '', 'base64').toString();
  for (const more of ['"signature":"",', '"__proto__":{},']) {
    const changed = Buffer.from(text.replace('"signature":', `${more}"signature":`)).toString('base64');
    const { code, stderr } = await verifyAlone(receipt.replace(mark, `\ndevice-signatures@v1 ${changed}\n`));
    expect([code, stderr]).toEqual([1, expect.stringContaining('cannot be read')]);
  }
});

test('a proof of a vote that did not decide is no receipt, in the terminal and on the page', async () => {
  const text = await approved();
  const signed = signedEntriesIn(text) as [SignedEntry];
  const { vote } = signed.reduce((first, entry) => (entry.vote.index < first.vote.index ? entry : first));
  const proof = vote.proof.map((hash) => Buffer.from(hash, 'base64'));
  const entry = Buffer.from(vote.entry, 'base64');
  const receipt = writeReceipt({ entry, index: vote.index, proof, checkpoint: checkpointIn(text) ?? '' });
  const { code, stderr } = await verifyAlone(receipt);
  expect([code, stderr]).toEqual([1, expect.stringContaining('that decides nothing')]);
  const reviewer = await openBrowser(house.nodes[0], 'reviewer');
  const answer = await house.call(reviewer, 'POST', '/api/audit/receipts', { receipt });
  expect(await answer.json()).toMatchObject({ verdict: 'no-receipt', proven: null });
});

test('a receipt is given, with the other signatures, if someone made one in the database unreadable', async () => {
  const request = await ask();
  for (const at of [0, 1, 2]) await house.approve(people[at]!, phones[at]!, request);
  const owner = await connectClient({ connectionString: house.nodes[0].databaseUrl });
  await owner.query('SET session_replication_role = replica'); // no trigger keeps the vote as it is
  const where = 'WHERE id = (SELECT id FROM vote WHERE elicitation_id = $1 ORDER BY at LIMIT 1)'; // not the deciding one
  const { rows } = await owner.query(`SELECT signature FROM vote ${where}`, [request.id]);
  await owner.query(`UPDATE vote SET signature = 'broken' ${where}`, [request.id]);
  const answer = await house.call(people[0]!, 'GET', `/api/elicitations/${request.id}/receipt`);
  await owner.query(`UPDATE vote SET signature = $2 ${where}`, [request.id, rows[0].signature]);
  await owner.end();
  expect(answer.status).toBe(200);
  const { code, stdout } = await verifyAlone(await answer.text());
  expect([code, stdout.match(/^Signed: /gm)]).toEqual([0, ['Signed: ', 'Signed: ']]);
});

test('a receipt is not trusted if one person stands in it twice: with the vote that they withdrew, and the one that counts', async () => {
  const { merkleLog, passkeys, reader } = house.nodes[0].engine;
  const request = await ask();
  expect((await house.approve(people[0]!, phones[0]!, request)).status).toBe(200);
  const [withdrawn] = await passkeys.signedVotes(request.id);
  const path = `/api/elicitations/${request.id}/withdraw-vote`;
  expect((await house.call(people[0]!, 'POST', path)).status).toBe(200);
  for (const at of [0, 1, 2]) await house.approve(people[at]!, phones[at]!, request);
  const receipt = await (await house.call(people[0]!, 'GET', `/api/elicitations/${request.id}/receipt`)).text();
  const history = (await reader.history(request.id)).map((body) => ({ body, event: readEntry(body) }));
  const cast = history.find(({ event }) => event.type === 'elicitation.voted' && event.vote === withdrawn!.vote)!;
  const size = keptHead(checkpointIn(receipt) ?? '')?.size ?? 0;
  const proven = async (body: Uint8Array) => {
    const index = (await merkleLog.indexOf(readEntry(body).id))!;
    const proof = inclusionProof(nodesIn(await merkleLog.tiles(proofTiles(index, size))), index, size);
    return { entry: Buffer.from(body).toString('base64'), index, proof: proof.map((hash) => hash.toString('base64')) };
  };
  const again = {
    vote: await proven(cast.body),
    passkey: await proven(withdrawn!.entry),
    signature: withdrawn!.signature,
  };
  const { code, stderr } = await verifyAlone(withOther(receipt, (signed) => [...signed, again]));
  expect([code === 0, stderr]).toEqual([false, expect.stringMatching(/stands twice/)]);
});

test('who holds the database and every secret, and votes for others without their device, is found', async () => {
  const { engine } = house.nodes[0];
  const { id, digest } = await ask();
  const row = (await engine.reader.elicitation(id))!;
  const { state, status, cause, caller, deadlineAt, revision, policy: name, risk, payload } = row;
  // The policy is sealed with the request; with the secrets, anyone can seal another one.
  const revised = {
    revision,
    digest,
    policy: name,
    risk,
    payload,
    explanation: sealVerdict(engine.ring, row, {}),
    alsoBy: [],
    isTold: false,
  };
  const change = { row, state, status, cause, caller, deadlineAt, closedAt: null, answer: null, vote: null, revised };
  expect(await engine.transactor.change({ ...change, topics: ['changed'], entry: entryOf(Date.now(), id) })).toBe(true);
  await castVote(engine, people[0]!.user, id, { action: 'accept', content: {}, digest });
  await sequenceAll(engine);
  expect((await verify(engine)).fault).toMatch(/did not sign the vote vot_.* \(its policy needs a passkey\)/);
});

test('a vote that another device signed in a person’s name is found', async () => {
  const { engine } = house.nodes[0];
  const [victim, forger] = [people[1]!, phones[3]!];
  const stored = (await engine.passkeys.byCredential(forger.credentialId))!;
  const own = (await engine.passkeys.byCredential(phones[1]!.credentialId))!;
  // The server is in the forger's hands: it takes the forger's key for that of the victim.
  const passkey = { ...own.passkey, publicKey: stored.passkey.publicKey };
  const passkeys = { ...engine.passkeys, byCredential: async () => ({ ...own, passkey }) };
  const { id, digest } = await ask();
  forger.counter = 100; // more than the victim's
  const { device } = await house.sign(victim, forger, { id, digest });
  const assertion = { ...device.assertion, credentialId: phones[1]!.credentialId };
  const cookie = victim.cookie.split('=')[1] ?? '';
  const user = (await signedInUser(engine, cookie))!;
  const vote = { action: 'accept', content: {}, digest, device: { ...device, assertion } } as const;
  await castVote({ ...engine, passkeys }, user, id, vote);
  await sequenceAll(engine);
  expect(await unsignedFaultOf(id)).toMatch(
    new RegExp(`${victim.user.id} did not sign the vote vot_.* \\(passkey-signature\\)`),
  );
});

test('a vote that its person withdrew, and that was cast again with what their device had signed, is found', async () => {
  const { engine } = house.nodes[0];
  const [person, phone] = [people[2]!, phones[2]!];
  const request = await ask();
  const { device } = await house.sign(person, phone, request);
  const vote = { action: 'accept', content: {}, digest: request.digest, device } as const;
  expect((await house.call(person, 'POST', `/api/elicitations/${request.id}/vote`, vote)).status).toBe(200);
  expect((await house.call(person, 'POST', `/api/elicitations/${request.id}/withdraw-vote`)).status).toBe(200);
  // The server is in a forger's hands: it takes what it has taken before.
  const passkeys = { ...engine.passkeys, takeChallenge: async () => true, use: async () => true };
  const user = (await signedInUser(engine, person.cookie.split('=')[1] ?? ''))!;
  await castVote({ ...engine, passkeys }, user, request.id, vote);
  await sequenceAll(engine);
  expect(await unsignedFaultOf(request.id)).toMatch(
    new RegExp(`${person.user.id} did not sign the vote vot_.* \\(passkey-challenge\\)`),
  );
});

test('a passkey signs nothing after it was removed', async () => {
  const begun = await openBrowser(house.nodes[0], 'approver', 'password');
  const { device } = await house.enrol(begun);
  const person = await house.confirm(begun, device);
  const request = await ask();
  const signed = await house.sign(person, device, request);
  const [own] = await house.nodes[0].engine.passkeys.listOf(person.user.id);
  expect((await house.call(person, 'DELETE', `/api/account/passkeys/${own?.id}`)).status).toBe(204);
  const vote = { action: 'accept', content: {}, digest: request.digest, ...signed };
  expect((await house.call(person, 'POST', `/api/elicitations/${request.id}/vote`, vote)).status).toBe(403);
});

/** What the self-check says of the votes on this request alone. */
const unsignedFaultOf = (id: ElicitationId): Promise<string | null> =>
  house.nodes[0].engine.readLog(async (snapshot) => {
    const page = await snapshot.requestPage('');
    const entries = page.entries.filter(({ body }) => Buffer.from(body).toString('utf8').includes(id));
    return unsignedFault({ ...page, entries }, passkeysIn(await snapshot.passkeyEntries()));
  });
