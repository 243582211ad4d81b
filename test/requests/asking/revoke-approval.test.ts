import { afterAll, describe, expect, test } from '@jest/globals';
import { describeDecision } from '#audit/receipts/command';
import { readEntry } from '#audit/entries/rules/entry';
import { openReceipt } from '#audit/receipts/rules';
import { parseVerifierKey } from '#audit/tree/rules/notes';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import type { ProblemDocument } from '#platform/http/contract/problem';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { publish } from '../../support/requests/policies.ts';
import { until } from '../../support/poll.ts';
import { entriesOf, startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { json } from '../../support/json.ts';

const two = await startTwoNodes();
afterAll(() => two.stop());
const [ada, bob] = [await openBrowser(two.nodes[0]), await openBrowser(two.nodes[1])];
const boss = await openBrowser(two.nodes[0], 'admin');

async function approved(parts = {}): Promise<OpenedElicitation> {
  const request = await two.asking.open(parts);
  expect((await ada.vote(request)).status).toBe(200);
  return request;
}
const revoke = ({ call }: Browser, { id, digest }: OpenedElicitation) =>
  call('POST', `/api/elicitations/${id}/revoke`, { digest });
const claim = ({ toolCall }: OpenedElicitation) =>
  json<{
    code?: string;
    state?: string;
  }>(two.asking.at(two.nodes[1].url).claim(toolCall, 'attempt'));
const refusal = async (answer: Promise<Response>) => {
  const response = await answer;
  const { code, detail } = await json<ProblemDocument>(response);
  return [response.status, code, detail];
};

describe('S4 an approval that has not run yet is revoked', () => {
  test('by the person who approved it: it releases nothing, the log and the receipt say so, and the next call opens a new request', async () => {
    const request = await approved({ call: 'revoked' });
    expect((await ada.show(request.id)).can.revoke).toEqual({ allowed: true, refusal: null });
    const answer = await revoke(ada.at(two.nodes[1].url), request);
    expect([answer.status, await answer.json()]).toMatchObject([200, { status: 'accepted', lapse: 'revoked' }]);
    expect(await claim(request)).toMatchObject({ code: 'approval-lapsed' });
    expect((await entriesOf(two, request.id)).at(-1)).toMatchObject({
      type: 'call.revoked',
      actor: { kind: 'user', id: ada.user.id },
      digest: request.digest,
    });
    expect((await ada.show(request.id)).timeline.at(-1)).toMatchObject({
      by: { name: ada.user.name },
      event: { type: 'call.revoked' },
    });
    const receipt = await until(async () => {
      const answer = await ada.call('GET', `/api/elicitations/${request.id}/receipt`);
      return answer.ok && answer.text();
    });
    const { keys } = await two.nodes[0].logKeys();
    const opened = openReceipt(
      receipt,
      keys.map(({ key }) => parseVerifierKey(key)),
    );
    const words = opened && describeDecision(readEntry(opened.entry))?.join('\n');
    expect(words).toContain('APPROVED, and REVOKED before it ran');
    expect(words).toContain(ada.user.id);
    expect((await two.asking.open({ call: 'revoked' })).id).not.toBe(request.id);
  });

  test('by an administrator who did not vote, and by no one else', async () => {
    const request = await approved();
    expect(await refusal(revoke(bob, request))).toEqual([
      403,
      'forbidden',
      'Only those who approved this, or an administrator, can revoke it.',
    ]);
    await boss.look(request.id);
    expect((await revoke(boss, request)).status).toBe(200);
    expect(await refusal(revoke(ada, request))).toEqual([
      409,
      'not-now',
      'This approval was already revoked, or was no longer valid when it was used.',
    ]);
  });

  test('only while it is approved and unused, and only as it was shown', async () => {
    const [open, claimed, other] = [await two.asking.open(), await approved(), await approved()];
    expect((await refusal(revoke(ada, open)))[1]).toBe('not-now');
    expect(await claim(claimed)).toEqual({ state: 'claimed' });
    expect(await refusal(revoke(ada, claimed))).toEqual([
      409,
      'already-executed',
      'The call has already started or ended.',
    ]);
    expect((await refusal(revoke(ada, { ...other, digest: 'f'.repeat(64) })))[1]).toBe('digest-mismatch');
    expect(await claim(other)).toEqual({ state: 'claimed' });
  });

  test('together with the standing approval that came from it', async () => {
    await publish(
      two.nodes[0],
      'policy: again\nmatch: { tool: again }\nrequire:\n  stages: [{ name: One, approvers: anyone }]\n  grant: { longest: 8h }',
    );
    const parts = { tool: { name: 'again' }, requester: { subject: 'alice', verified: true } };
    const schema = { schema: { type: 'object', properties: {} } };
    const request = await two.asking.open({ ...parts, ...schema });
    await ada.vote(request, { allowFor: 3_600_000 });
    await revoke(ada, request);
    expect((await two.asking.open({ ...parts, ...schema })).status).toBe('open');
    const { grants } = await json<{ grants: { state: string }[] }>(ada.call('GET', '/api/grants'));
    expect(grants.map(({ state }) => state)).toEqual(['revoked']);
  });
});

test('S4 of a revocation and a claim that race at two nodes, exactly one comes first', async () => {
  const visited = new Set<string>();
  // Until each has come first once, on a busy machine as well.
  for (let round = 0; round < 24 || visited.size < 2; round += 1) {
    const request = await approved();
    const claiming = round % 2 ? claim(request) : null;
    for (let turns = round % 24; turns > 0; turns -= 1) await new Promise(setImmediate);
    const [revoked, claimed] = await Promise.all([revoke(ada, request), claiming ?? claim(request)]);
    const isClaimed = claimed.state === 'claimed';
    expect([revoked.status, isClaimed]).toEqual(isClaimed ? [409, true] : [200, false]);
    const types = (await entriesOf(two, request.id)).map(({ type }) => type);
    expect(types.filter((type) => type === 'call.claimed' || type === 'call.revoked')).toHaveLength(1);
    visited.add(String(isClaimed));
  }
  expect(visited.size).toBe(2);
});
