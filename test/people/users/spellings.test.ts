import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type OpenedElicitation, NamedRequester } from '#requests/asking/contract/open';
import { usersKnownAs } from '#requests/asking/verbs/requester';
import { runs } from '../../support/runs.ts';
import { askingAt, question } from '../../support/nodes/asking.ts';
import { startTestServer, type TestUser } from '../../support/nodes/server.ts';
import { seeded, spellingsOf } from '../../support/spellings.ts';
import { json } from '../../support/json.ts';

const issuer = 'https://idp.example.com';
const otherIssuers = [issuer, `${issuer}/`, 'https://login.example.net', undefined];

const server = await startTestServer();
afterAll(() => server.stop());
const asking = askingAt(server.url, await server.newServerKey());
const admin = await server.newUser('admin');

/** How it ended: refused at the door, or this person's own approval of it refused. Anything else is a hole. */
async function tryOwn(user: TestUser, requester: Record<string, unknown>): Promise<string> {
  const opened = await asking.call('POST', '/v1/elicitations', { ...question, requester });
  if (opened.status === 400) {
    const { errors } = await json<{ errors: { path: string[]; message: string }[] }>(opened);
    return `refused at ${errors[0]?.path.join('.')}`;
  }
  const { id, digest } = await json<OpenedElicitation>(opened);
  const vote = await user.call('POST', `/api/elicitations/${id}/vote`, {
    action: 'accept',
    digest,
    content: { confirmed: true },
  });
  const { code } = await json<{ code?: string }>(vote);
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
    ['an escape', (address) => address.replace('@', '%40')],
    ['an escaped letter', (address) => address.replace('p', '%70')],
    ['her issuer before it', () => 'https://idp.example.com#auth0|Ada7'],
    ['a name around it', (address) => `Ada <${address}>`],
    ['quotes', (address) => `"${address.replace('@', '"@')}`],
    ['a tag', (address) => address.replace('@', '+agent@')],
    ['a dot at the end', (address) => `${address}.`],
    ['her other name', () => 'gh:ada'],
    ['her other name in capitals', () => 'GH:ADA'],
    ['her name at her issuer', () => 'auth0|Ada7'],
  ];
  const cases = spell.flatMap(([what, write]) => [false, true].map((verified) => [what, verified, write] as const));

  test('there are 50', () => expect(cases).toHaveLength(50));

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

test('AI-11 10,000 spellings of 200 names: the requester never approves', async () => {
  const pick = seeded(20_261_122);
  const users: TestUser[] = [];
  while (users.length < 10) users.push(await server.newUser());
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
      spellingsOf(name, 50, pick).map((subject, at) => ({ user, ...requesterOf(subject, at) })),
    ),
  );
  expect(attempts.length).toBeGreaterThanOrEqual(10_000);
  const { directory } = await server.engine.rules.users();
  const judged = attempts.map((attempt) => ({ ...attempt, outcome: judgeOwn(directory, attempt) }));
  expect(judged.filter(({ outcome }) => outcome === 'hole')).toEqual([]);
  const excluded = judged.filter(({ outcome }) => outcome === 'excluded');
  expect(excluded.length).toBeGreaterThan(800); // the door does not refuse them all: exclusion is tried as well
  // What was judged as the server judges is asked and voted on, for some of each kind.
  for (const { user, requester, outcome } of [...sample(excluded), ...sample(judged)]) {
    const answer = await tryOwn(user, requester);
    expect([requester, answer === 'not-now' ? 'excluded' : answer.slice(0, 7)]).toEqual([requester, outcome]);
  }
});

/** Every so many, so that each name and issuer is among them. */
const sample = <T>(all: T[]): T[] => all.filter((_, at) => at % Math.ceil(all.length / runs(600)) === 0);

const requesterOf = (subject: string, at: number) => {
  const stated = otherIssuers[at % 4];
  return { requester: { subject, ...(stated && { issuer: stated }), verified: at % 2 === 0 } };
};

/** By the door's own schema, and by what the vote asks the directory. */
function judgeOwn(
  directory: Parameters<typeof usersKnownAs>[0],
  { user, requester }: { user: TestUser; requester: object },
): 'refused' | 'excluded' | 'hole' {
  const read = NamedRequester.safeParse(requester);
  if (!read.success) return 'refused';
  return usersKnownAs(directory, read.data).has(user.id) ? 'excluded' : 'hole';
}
