import { afterAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { openCheckpoint, readCheckpoint } from '#audit/tree/rules/checkpoint';
import { leafHash } from '#audit/entries/rules/entry';
import { isConsistent, consistencyProof, growTiles, nodesIn } from '#audit/tree/rules/merkle';
import { openReceipt } from '#audit/receipts/rules';
import { noteSigner, parseVerifierKey, readNote, verifierKey } from '#audit/tree/rules/notes';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import { plainRoot } from '../audit/tree/trees.ts';
import { killProcesses, runAssentry, type Ended } from '../cli/assentry-process.ts';
import { askingAt } from '../support/nodes/asking.ts';
import { openBrowser, type Browser } from '../support/nodes/console.ts';
import { readNaively } from '../support/audit/naive-export.ts';
import { until } from '../support/poll.ts';
import { startTestServer, testSecrets } from '../support/nodes/server.ts';
import { nodeUrl } from '../support/databases/node-login.ts';

const nextSecret = { kid: 'next', secret: 'the-next-secret-of-this-installation' };
let [approver, admin, reviewer]: Browser[] = [];
/** A directory without settings, as a stranger has. */
const stranger = mkdtempSync(path.join(os.tmpdir(), 'receipt-'));
const decisions: OpenedElicitation[] = [];
const server = await startTestServer();
afterAll(async () => {
  await killProcesses();
  await server.stop();
  await rm(stranger, { recursive: true });
});
const asking = askingAt(server.url, await server.newServerKey());
[approver, admin, reviewer] = await Promise.all(
  (['approver', 'admin', 'reviewer'] as const).map((role) => openBrowser(server, role)),
);
const key = (await server.logKeys()).keys[0]?.key ?? '';
decisions.push(await decide('accept'), await decide('decline'), await answer('accept'), await answer('cancel'));

async function decide(action: 'accept' | 'decline'): Promise<OpenedElicitation> {
  const opened = await asking.open();
  const vote = action === 'accept' ? { content: {} } : { comment: 'Not this month.' };
  const body = { action, digest: opened.digest, ...vote };
  expect((await approver!.call('POST', `/api/elicitations/${opened.id}/vote`, body)).status).toBe(200);
  return opened;
}

async function answer(action: 'accept' | 'cancel'): Promise<OpenedElicitation> {
  const opened = await asking.open({ audience: 'requester' });
  const body = { action, ...(action === 'accept' && { content: {} }) };
  expect((await asking.call('POST', `/v1/elicitations/${opened.id}/answer`, body)).status).toBe(200);
  return opened;
}

async function textOf(response: Promise<Response>): Promise<string> {
  const { status, ...rest } = await response.then(async (response) => ({
    status: response.status,
    text: await response.text(),
  }));
  expect([status, rest.text]).toEqual([200, expect.any(String)]);
  return rest.text;
}

const receiptOf = ({ id }: { id: string }): Promise<string> =>
  textOf(approver!.call('GET', `/api/elicitations/${id}/receipt`));

/** Verifies as someone who has nothing but the file and the key. */
async function verifyOffline(receipt: string, ...words: string[]): Promise<Ended> {
  const file = path.join(stranger, `${randomUUID()}.tlog-proof`);
  await writeFile(file, receipt);
  return runAssentry(['receipt', 'verify', path.basename(file), '--key', key, ...words], { cwd: stranger });
}

describe('P32', () => {
  test('requester, approver and auditor get the same receipt, which proves the decision to a stranger offline', async () => {
    const [opened] = decisions as [OpenedElicitation];
    const receipt = await receiptOf(opened);
    const path = `elicitations/${opened.id}/receipt`;
    const others = [
      asking.call('GET', `/v1/${path}`),
      admin!.call('GET', `/api/${path}`),
      reviewer!.call('GET', `/api/${path}`),
    ];
    for (const other of others) expect(openReceipt(await textOf(other), [parseVerifierKey(key)])).not.toBeNull();
    const [run, document, forged, foreign, unsaid] = await Promise.all([
      verifyOffline(receipt),
      verifyOffline(receipt, '--json'),
      verifyOffline(receipt.replace(/^extra (.*)$/m, (_, entry: string) => `extra ${declined(entry)}`)),
      verifyOffline(await receiptOfOthers()),
      verifyOffline(await receiptOfOthers(), '--json'),
    ]);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    for (const words of [
      'This receipt is genuine.',
      `Decision: APPROVED: request ${opened.id}, revision 1`,
      `By:       the person ${approver!.user.id} (signed in by link), with the deciding vote`,
      'Policy:   built-in@1',
      `SHA-256 ${opened.digest}`,
    ]) {
      expect(run.stdout).toContain(words);
    }
    expect(run.stdout).toMatch(/^When: {5}\d{4}-\d\d-\d\dT[\d:.]+Z$/m);
    expect(JSON.parse(document.stdout)).toMatchObject({ ok: true, entry: { elicitation: opened.id, to: 'accepted' } });
    for (const refused of [forged, foreign]) {
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toContain('Do not trust this receipt');
    }
    expect(unsaid.code).toBe(1);
    expect(JSON.parse(unsaid.stdout)).toMatchObject({
      ok: false,
      verdict: expect.any(String),
      origin: expect.any(String),
    });
    await expectRemedies(receipt);
  });

  /** Each says what to do, and none that the receipt may be trusted. */
  async function expectRemedies(receipt: string): Promise<void> {
    const [name = ''] = key.split('+');
    const keyOf = (of: string) => verifierKey(noteSigner(of, Buffer.alloc(32, 5)));
    const file = path.join(stranger, 'whole.tlog-proof');
    const cut = path.join(stranger, 'cut.tlog-proof');
    await writeFile(file, receipt);
    await writeFile(cut, receipt.slice(0, 200));
    const run = async (...words: string[]) =>
      (await runAssentry(['receipt', 'verify', ...words], { cwd: stranger })).stderr;
    expect(await run(file, '--key', keyOf(name))).toMatch(/^assentry: Do not trust this receipt yet: .* another --key/);
    expect(await run(file, '--key', keyOf('assentry/other'))).toContain(
      `names the log ${name}, of which no key was given`,
    );
    expect(await run(cut, '--key', key)).toBe(
      'assentry: Give a whole receipt, as it was downloaded: this file is none, or a part of it is missing.\n',
    );
  }

  test('there is none before the end, and none for another server', async () => {
    const { id } = await asking.open();
    const early = await approver!.call('GET', `/api/elicitations/${id}/receipt`);
    expect([early.status, await early.json()]).toMatchObject([409, { code: 'not-now' }]);
    const foreign = askingAt(server.url, await server.newServerKey('foreign'));
    const [decided] = decisions;
    expect((await foreign.call('GET', `/v1/elicitations/${decided?.id}/receipt`)).status).toBe(404);
  });

  test('a rotation of secrets keeps verifiers working, and leaves nothing in the database that could sign', async () => {
    const secrets = [nextSecret, ...testSecrets];
    const rotated = await startTestServer({ databaseUrl: server.databaseUrl, secrets });
    const { keys } = await rotated.logKeys();
    await openBrowser(rotated);
    const there = await decide('accept');
    const signedByBoth = await until(async () => {
      const receipt = await textOf(approver!.at(rotated.url).call('GET', `/api/elicitations/${there.id}/receipt`));
      return (
        keys.every((key) => openReceipt(receipt, [parseVerifierKey(key.key)])) || decide('accept').then(() => null)
      );
    });
    await rotated.stop();
    expect(keys.map(({ kid }) => kid)).toEqual(['test', 'next']); // the first seals until people rotate
    expect([keys[0]?.key, signedByBoth]).toEqual([key, true]);
  });
});

/** The entry of a receipt, saying the opposite. */
const declined = (entry: string): string =>
  Buffer.from(Buffer.from(entry, 'base64').toString().replaceAll('accept', 'declin')).toString('base64');

/** A receipt of an installation with other secrets. */
async function receiptOfOthers(): Promise<string> {
  const others = await startTestServer({ secrets: [{ kid: 'test', secret: 'a-secret-of-some-other-installation' }] });
  const theirs = askingAt(others.url, await others.newServerKey());
  const { id } = await theirs.open({ audience: 'requester' });
  await theirs.call('POST', `/v1/elicitations/${id}/answer`, { action: 'decline' });
  const receipt = await textOf(theirs.call('GET', `/v1/elicitations/${id}/receipt`));
  await others.stop();
  return receipt;
}

describe('AD-03', () => {
  test('every decision has a valid proof of its place, no matter who decided', async () => {
    const ends = await Promise.all(
      decisions.map(async (opened) => {
        // What a requester answered is no approver's to know of.
        const path = `/api/elicitations/${opened.id}/receipt`;
        const receipt = openReceipt(await textOf(admin!.call('GET', path)), [parseVerifierKey(key)]);
        return JSON.parse(String(receipt?.entry)) as Record<string, unknown>;
      }),
    );
    expect(ends).toEqual(
      [
        { type: 'elicitation.voted', to: 'accepted' },
        { type: 'elicitation.voted', to: 'declined' },
        { type: 'elicitation.answered', to: 'accepted' },
        { type: 'elicitation.answered', to: 'cancelled' },
      ].map((end, at) => expect.objectContaining({ ...end, elicitation: decisions[at]?.id })),
    );
  });

  test('all checkpoints are consistent, and are what the bundles of entries make with the definition alone', async () => {
    await until(async () => !(await server.engine.merkleLog.isWaiting()));
    const notes = await query<{ note: string }>('SELECT note FROM audit_checkpoint ORDER BY size');
    const heads = notes.map(({ note }) => readCheckpoint(readNote(note, [parseVerifierKey(key)])?.text ?? '')!);
    expect(heads.length).toBeGreaterThan(2);
    const served = await textOf(admin!.call('GET', '/log/checkpoint'));
    const { size, root } = readCheckpoint(readNote(served, [parseVerifierKey(key)])?.text ?? '')!;
    const response = await reviewer!.call('GET', `/log/tile/entries/000.p/${size}`);
    expect(response.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
    const leaves = entriesIn(Buffer.from(await response.arrayBuffer())).map(leafHash);
    expect(plainRoot(leaves)).toEqual(root);
    const tile = await admin!.call('GET', `/log/tile/0/000.p/${size}`);
    expect(Buffer.from(await tile.arrayBuffer())).toEqual(Buffer.concat(leaves));
    const nodes = nodesIn(growTiles([], 0, leaves));
    const pairs = heads.slice(1).map((newer, at) => [heads[at]!, newer] as const);
    const wrong = pairs.filter(
      ([older, newer]) => !isConsistent(older, newer, consistencyProof(nodes, older.size, newer.size)),
    );
    expect(wrong).toEqual([]);
  });

  test.each(['0/000.p/255', '0/001', '7/000', 'entries/000.p/255', '64/000', '0/x000/000'])(
    'there is no tile %s',
    async (place) => {
      expect([400, 404]).toContain((await admin!.call('GET', `/log/tile/${place}`)).status);
    },
  );
});

async function query<T extends pg.QueryResultRow>(sql: string, url = server.databaseUrl): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<T>(sql).finally(() => client.end());
  return rows;
}

function entriesIn(bundle: Buffer): Buffer[] {
  const entries: Buffer[] = [];
  for (let at = 0; at < bundle.length;) {
    const length = bundle.readUInt16BE(at);
    entries.push(bundle.subarray(at + 2, at + 2 + length));
    at += 2 + length;
  }
  return entries;
}

test('next to a running server, the command line finds the log whole, shows its keys, and gives it out as files', async () => {
  const secrets = [...testSecrets, nextSecret].map(({ kid, secret }) => `${kid}:${secret}`).join();
  const env = { DATABASE_URL: nodeUrl(server.databaseUrl), ASSENTRY_SECRETS: secrets };
  const directory = path.join(stranger, 'log');
  const [whole, keys, exported] = await Promise.all([
    runAssentry(['audit', 'verify', '--json'], { env }),
    runAssentry(['audit', 'key'], { env }),
    runAssentry(['audit', 'export', directory, '--format', 'tiles', '--json'], { env }),
  ]);
  expect([keys.code, keys.stdout.split('\n')[0]]).toEqual([0, key]);
  expect(whole.code).toBe(0);
  expect(JSON.parse(whole.stdout)).toMatchObject({ ok: true, fault: null });
  const { size } = JSON.parse(exported.stdout) as { size: number };
  const read = (file: string) => readFile(path.join(directory, file));
  const head = openCheckpoint((await read('checkpoint')).toString(), [parseVerifierKey(key)]);
  const leaves = entriesIn(await read(`tile/entries/000.p/${size}`)).map(leafHash);
  expect(head).toMatchObject({ size, root: plainRoot(leaves) });
  expect(await read(`tile/0/000.p/${size}`)).toEqual(Buffer.concat(leaves));
});

test('the command line gives some entries out as a file, and a stranger verifies it, or learns the first bad line', async () => {
  const secrets = [...testSecrets, nextSecret].map(({ kid, secret }) => `${kid}:${secret}`).join();
  const env = { DATABASE_URL: nodeUrl(server.databaseUrl), ASSENTRY_SECRETS: secrets };
  const file = path.join(stranger, 'declined.jsonl');
  const exported = await runAssentry(
    ['audit', 'export', file, '--outcome', 'declined', '--from', '2020-01-01', '--json'],
    {
      env,
    },
  );
  const { entries } = JSON.parse(exported.stdout) as { entries: number };
  const text = await readFile(file, 'utf8');
  expect(readNaively(text, key).map(({ elicitation }) => elicitation)).toEqual(Array(entries).fill(decisions[1]?.id));
  const forged = path.join(stranger, 'forged.jsonl');
  await writeFile(forged, text.replace('"action":"decline"', '"action":"accept"'));
  const verifyExport = (name: string) => runAssentry(['audit', 'verify-export', name, '--key', key], { cwd: stranger });
  const [genuine, changed] = await Promise.all([verifyExport(file), verifyExport(forged)]);
  expect([genuine.code, genuine.stdout]).toEqual([0, expect.stringContaining('This export is genuine.')]);
  expect(genuine.stdout).toContain('those with outcome=declined, from=2020-01-01T00:00:00.000Z');
  expect([changed.code, changed.stdout]).toEqual([1, expect.stringMatching(/^Line \d+: The log has no such entry/)]);
  const unknownKey = verifierKey(noteSigner(key.split('+')[0] ?? '', Buffer.alloc(32, 5)));
  const unsigned = await runAssentry(['audit', 'verify-export', file, '--key', unknownKey], { cwd: stranger });
  expect(unsigned.stderr).toMatch(
    /^assentry: Do not trust this export yet: give the key that signed it with another --key/,
  );
  const mistyped = await runAssentry(['audit', 'export', file, '--tool', 'no_such_tool'], { env });
  expect([mistyped.code, mistyped.stderr]).toEqual([
    2,
    expect.stringContaining('tool: Correct this: nothing of this name'),
  ]);
  const refused = await runAssentry(['audit', 'export', file, '--from', 'yesterday'], { env });
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('--from: Give a time such as 2026-07-01'),
  ]);
});

test('the command line holds content, erases what no hold keeps, and leaves the log whole', async () => {
  const secrets = [...testSecrets, nextSecret].map(({ kid, secret }) => `${kid}:${secret}`).join();
  const env = { DATABASE_URL: nodeUrl(server.databaseUrl), ASSENTRY_SECRETS: secrets };
  const content = async (...words: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runAssentry(['content', ...words], { env });
    return code === 0 ? stdout : stderr;
  };
  const { id, toolCall } = decisions[0]!;
  await asking.claim(toolCall, 'a');
  await asking.call('POST', `/v1/tool-calls/${toolCall}/complete`, { attempt: 'a', delivered: true });
  const because = ['--reason', 'Case 2026-14'];
  expect(await content('hold', '--request', id, '--all', ...because)).toContain('Give one of --request, --requester');
  expect(await content('hold', ...because)).toContain('Give one of --request, --requester, --server and --all.');
  expect(await content('hold', '--requester', 'x', ...because)).toContain('--requester: Give the id of a request');
  const placed = await Promise.all(
    [['--request', id], ['--requester', id], ['--server', 'payments'], ['--all']].map((scope) =>
      content('hold', ...scope, ...because),
    ),
  );
  const scopes = [id, `the requester of ${id}`, 'all of payments', 'everything'];
  const lines = scopes.map((scope) =>
    expect.stringMatching(new RegExp(`^hld_\\S+ ${scope}: held\\. Case 2026-14\\n$`)),
  );
  expect(placed).toEqual(lines);
  expect((await content('holds')).split('\n').sort()).toEqual(['', ...placed.map((line) => line.trim())].sort());
  expect(await content('erase', id, '--ground', 'asked')).toContain('A legal hold keeps this content.');
  for (const line of placed) {
    const [hold = ''] = line.split(' ');
    expect(await content('release', hold)).toBe(line.replace(': held.', ': released.'));
  }
  expect(await content('holds')).toBe('Nothing is held.\n');
  expect(await content('erase', id, '--ground', 'asked')).toBe(
    'Erased the content of 1 request.\nKept: 0 by a legal hold, 0 still needed.\n',
  );
  const { code } = await runAssentry(['audit', 'verify'], { env });
  expect(code).toBe(0);
});
