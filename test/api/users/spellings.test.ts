import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { OpenedElicitation } from '../../../src/contract/servers/elicitation.ts';
import { runs } from '../../support/runs.ts';
import { askingAt, question, type Asking } from '../../support/asking.ts';
import { startTestServer, type TestServer, type TestUser } from '../../support/server.ts';
import { seeded, spellingsOf } from '../../support/spellings.ts';

const issuer = 'https://idp.example.com';
const otherIssuers = [issuer, `${issuer}/`, 'https://login.example.net', undefined];

let server: TestServer;
let asking: Asking;
let admin: TestUser;
beforeAll(async () => {
  server = await startTestServer();
  asking = askingAt(server.url, await server.newServerKey());
  admin = await server.newUser('admin');
});
afterAll(() => server?.stop());

/** How it ended: refused at the door, or this person's own approval of it refused. Anything else is a hole. */
async function tryOwn(user: TestUser, requester: Record<string, unknown>): Promise<string> {
  const opened = await asking.call('POST', '/v1/elicitations', { ...question, requester });
  if (opened.status === 400) {
    const { errors } = (await opened.json()) as { errors: { path: string[]; message: string }[] };
    return `refused at ${errors[0]?.path.join('.')}`;
  }
  const { id, digest } = (await opened.json()) as OpenedElicitation;
  const vote = await user.call('POST', `/api/elicitations/${id}/vote`, {
    action: 'accept',
    digest,
    content: { confirmed: true },
  });
  const { code } = (await vote.json()) as { code?: string };
  return code ?? 'approved';
}

const fine = ['refused at requester.subject', 'refused at requester.issuer', 'not-now'];

describe('AI-11 S3 no one approves what they asked for under another spelling', () => {
  let ada: TestUser;
  beforeAll(async () => {
    ada = await server.newUser();
    const subjects = ['gh:ada', `${issuer}#auth0|Ada7`];
    expect((await admin.call('PATCH', `/api/users/${ada.id}`, { subjects })).status).toBe(200);
  });

  const spell: [string, (address: string) => string][] = [
    ['the address', (address) => address],
    ['in capitals', (address) => address.toUpperCase()],
    ['a space at the end', (address) => `${address} `],
    ['a space at the start', (address) => ` ${address}`],
    ['a tab', (address) => `${address}\t`],
    ['a line break', (address) => `${address}\n`],
    ['a non-breaking space', (address) => `${address}\u00A0`],
    ['a zero-width space', (address) => address.replace('@', '\u200B@')],
    ['a soft hyphen', (address) => address.replace('@', '\u00AD@')],
    ['a byte order mark', (address) => `\uFEFF${address}`],
    ['a right-to-left mark', (address) => `${address}\u200F`],
    ['full-width letters', (address) => address.replace('person', 'ｐerson')],
    ['a full-width at', (address) => address.replace('@', '＠')],
    ['a Cyrillic letter', (address) => address.replace('o', 'о')],
    ['mailto', (address) => `mailto:${address}`],
    ['a name around it', (address) => `Ada <${address}>`],
    ['quotes', (address) => `"${address.replace('@', '"@')}`],
    ['a tag', (address) => address.replace('@', '+agent@')],
    ['a dot at the end', (address) => `${address}.`],
    ['her other name', () => 'gh:ada'],
    ['her other name in capitals', () => 'GH:ADA'],
    ['her name at her issuer', () => 'auth0|Ada7'],
  ];
  const cases = spell.flatMap(([what, write]) => [false, true].map((verified) => [what, verified, write] as const));

  test('there are 44', () => expect(cases).toHaveLength(44));

  test.each(cases)('%s, verified: %s', async (_, verified, write) => {
    expect(fine).toContain(await tryOwn(ada, { subject: write(ada.email), verified }));
  });

  test('under any issuer that Assentry has not checked itself', async () => {
    for (const stated of otherIssuers)
      expect(fine).toContain(await tryOwn(ada, { subject: 'AUTH0|ada7', issuer: stated, verified: true }));
    expect(await tryOwn(ada, { subject: 'auth0|Ada7', issuer: 'https://IDP.example.com', verified: true })).toBe(
      'refused at requester.issuer',
    );
  });

  test('someone else’s request is hers to approve', async () => {
    expect(await tryOwn(ada, { subject: 'auth0|grace', verified: true })).toBe('approved');
  });
});

test(`AI-11 ${runs(10_000)} spellings of 200 names: the requester never approves`, async () => {
  const pick = seeded(20_261_122);
  const users = await Promise.all(Array.from({ length: 10 }, () => server.newUser()));
  const words = ['ada', 'grace', 'linus', 'barbara', 'edsger', 'donald', 'margaret', 'alan', 'joan', 'tony'];
  const existings = users.map((user, at) => {
    const word = words[at] ?? '';
    const forms = ['git:', 'auth0|', 'corp-', 'idp/', ''].flatMap((prefix) => [
      `${prefix}${word}`,
      `${prefix}${word}.x`,
    ]);
    const mails = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((part) => `${word}.${part}@corp.example`);
    return { user, subjects: [...forms, ...mails] };
  });
  for (const { user, subjects } of existings)
    expect((await admin.call('PATCH', `/api/users/${user.id}`, { subjects })).status).toBe(200);
  const attempts = existings.flatMap(({ user, subjects }) =>
    [user.email, ...subjects].flatMap((name) =>
      spellingsOf(name, runs(50), pick).map((subject, at) => ({ user, subject, issuer: otherIssuers[at % 4], at })),
    ),
  );
  expect(attempts.length).toBeGreaterThanOrEqual(runs(10_000));
  const queue = attempts.values();
  const holes: string[] = [];
  let refusals = 0;
  const next = async (): Promise<void> => {
    for (const { user, subject, issuer: stated, at } of queue) {
      const outcome = await tryOwn(user, { subject, ...(stated && { issuer: stated }), verified: at % 2 === 0 });
      if (!fine.includes(outcome)) holes.push(`${JSON.stringify(subject)}: ${outcome}`);
      if (outcome === 'not-now') refusals += 1;
    }
  };
  await Promise.all(Array.from({ length: 8 }, next));
  expect(holes).toEqual([]);
  expect(refusals).toBeGreaterThan(runs(800)); // the door does not refuse them all: exclusion is tried as well
}, 600_000);
