import { afterAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { chmodSync, readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { killProcesses, startProgram, type AssentryProcess } from '../cli/assentry-process.ts';
import { until } from '../support/poll.ts';
import { codeIn } from '../connect/agents.ts';
import { leaveBy, newVisitor } from '../support/nodes/visitor.ts';
import { newFolder } from '../support/new-folder.ts';

const run = promisify(execFile);
/** Where the demos put everything temporary. */
const directory = newFolder('demo');
chmodSync(directory, 0o755);
afterAll(killProcesses);

const startDemo = (...words: string[]) =>
  startProgram(['examples/demo.ts', ...words], { env: { TMPDIR: directory }, asGroup: true });

/** What the demo made and did not take away: files, and processes of its group or in its directory. */
async function leftBy({ child }: AssentryProcess): Promise<string[]> {
  const files = readdirSync(directory).filter((name) => !name.startsWith('tsx-')); // the compiler's cache
  const { stdout } = await run('ps', ['-A', '-o', 'pgid=,stat=,args=']);
  const lines = stdout.split('\n').filter((line) => !/^\s*\d+\s+Z/.test(line)); // a zombie has ended
  return [...files, ...lines.filter((line) => line.includes(directory) || Number.parseInt(line) === child.pid)];
}

/** What the MCP server says at its start. */
const introduction = /^Assentry \S+ at http:\/\/127\.0\.0\.1:\d+, as treasury\n$/;

describe('the demo', () => {
  test('blocks a call, shows it, approves it, resumes it, and leaves nothing behind', async () => {
    const demo = startDemo('--auto');
    const { code, stdout, stderr } = await demo.ended;
    expect([code, stderr]).toEqual([0, expect.stringMatching(introduction)]);
    const story = [
      'It is ready at http://127.0.0.1:',
      'The client calls transfer_funds {"amount":1250,"to":"DE89 3704 0044 0532 0130 00"}',
      'The call is held: no one has approved it yet.',
      'Shown to the approver: Transfer 1250.00 EUR to DE89 3704 0044 0532 0130 00?',
      'Approved, up to 1,000.',
      'The call resumed. The tool answered: 1000.00 EUR were transferred to DE89 3704 0044 0532 0130 00.',
    ];
    const places = story.map((sentence) => stdout.indexOf(sentence));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(await leftBy(demo)).toEqual([]);
  });

  test('waits for a person, at a link that works, and leaves nothing behind when interrupted', async () => {
    const demo = startDemo();
    const link = await until(() => /^ {3}(http\S+#link=\S+)$/m.exec(demo.said.stdout)?.[1]);
    expect((await fetch(link)).status).toBe(200);
    expect(demo.said.stdout).not.toContain('The call resumed');
    const present = (await leftBy(demo)).join('\n');
    for (const part of ['assentry-demo-', 'examples/demo.js', 'examples/server.js', 'postgres -D'])
      expect(present).toContain(part);
    process.kill(-(demo.child.pid ?? Number.NaN), 'SIGINT'); // Ctrl-C reaches every process of the group
    expect(await demo.ended).toMatchObject({ code: 0, stderr: expect.stringMatching(introduction) });
    expect(await leftBy(demo)).toEqual([]);
  });

  test('leaves nothing behind when interrupted while it starts', async () => {
    const demo = startDemo();
    await until(() => demo.said.stdout.includes('2. Starting an MCP server'));
    process.kill(-(demo.child.pid ?? Number.NaN), 'SIGINT');
    const { code, stderr } = await demo.ended;
    expect([code, stderr.replace(introduction, '')]).toEqual([0, '']); // it may not have come so far
    expect(demo.said.stdout).not.toContain('3. The client calls');
    expect(await leftBy(demo)).toEqual([]);
  });

  /** What each demo of a provider says, in this order. */
  const stories = {
    oauth: [
      'The client calls who_am_i',
      'The call is held. Its client shows the person: Connect your github account.',
      '/authorize',
      '/providers/github/return',
      'The page says: GitHub of the demo is connected as octo-ada',
      'The call resumed. The tool answered: You are octo-ada at github, and granted repo.',
    ],
    payment: [
      'The client calls order',
      'The call is held. Its client shows the person: Pay 100.00 EUR for Order 1042.',
      '/pay/cs_test_',
      '/providers/stripe/return',
      'The page says: ',
      'The call resumed. The tool answered: Order 1042 is on its way: 100.00 EUR were paid to acct_own.',
    ],
  };

  test.each(Object.entries(stories))(
    'of %s walks the way of a person, and leaves nothing behind',
    async (name, story) => {
      const demo = startDemo(name, '--auto');
      const { code, stdout } = await demo.ended;
      const places = story.map((sentence) => stdout.indexOf(sentence));
      expect([code, places]).toEqual([0, places.toSorted((a, b) => a - b)]);
      expect(places).not.toContain(-1);
      expect(await leftBy(demo)).toEqual([]);
    },
  );

  test.each([
    ['Pay', 'Order 1042 is on its way'],
    ['Decline', 'Tell the person you work for: it was not paid'],
  ])('of payment lets a person choose %s', async (choice, answer) => {
    const demo = startDemo('payment');
    const address = await until(() => /^ {3}(http\S+\/go\/\S+)$/m.exec(demo.said.stdout)?.[1]);
    const visitor = newVisitor();
    const checkout = await leaveBy(visitor, address, codeIn(demo.said.stdout));
    expect((await visitor.get(checkout)).html).toContain('100.00 EUR');
    const back = (await visitor.send(checkout, { choice })).headers.get('location') ?? '';
    expect((await visitor.get(back)).status).toBe(303);
    await until(() => demo.said.stdout.includes(`The tool answered: ${answer}`));
    process.kill(-(demo.child.pid ?? Number.NaN), 'SIGINT');
    expect(await demo.ended).toMatchObject({ code: 0 });
    expect(await leftBy(demo)).toEqual([]);
  });

  test('of a provider ends at once if it is interrupted while a person is asked', async () => {
    const demo = startDemo('oauth');
    await until(() => demo.said.stdout.includes('/go/'));
    process.kill(-(demo.child.pid ?? Number.NaN), 'SIGINT');
    expect(await demo.ended).toMatchObject({ code: 0 });
    expect(await leftBy(demo)).toEqual([]);
  });

  test('of nothing else says which there are', async () => {
    const { code, stderr } = await startDemo('signature').ended;
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^Give oauth, payment or nothing\.\n\nUsage:/)]);
  });
});
