import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { createClient, type AssentryClient } from '#sdk/client/client';
import { applyPolicies } from '#policies/verbs/apply';
import { adapters } from '#gateway/harness/adapters/adapters';
import type { Harness } from '#gateway/harness/adapters/harness';
import { hintsOf, type CallHints, judgeEvent } from '#gateway/harness/judge-event';
import { inputOf, readHookEvent, type HookEvent } from '#gateway/harness/adapters/hook-event';
import { readProject } from '#gateway/harness/project';
import { openOwnFiles } from '#gateway/own-files/own-files';
import { newFolder } from '../../support/new-folder.ts';
import { findRequest, listRequests } from '../../sdk/mcp/peers.ts';
import { Problem } from '#platform/model/problem';
import { compiled, shippedProgram } from '../../support/compiled.ts';
import { startTestServer, type TestServer, type TestUser } from '../../support/nodes/server.ts';

let server: TestServer;
let approver: TestUser;
let apiKey: string;
let client: AssentryClient;
const directory = newFolder('own');
const ownFiles = openOwnFiles(directory, { variables: {}, cwd: '/work' });

const policies = [
  `policy: tests
match: { tool: Bash }
when: request.args.command == "npm test"
allow: { ceiling: medium }`,
  `policy: commands
match: { tool: Bash }
when: request.args.command != "npm test"
require: { editable: { command: { type: string, maxLength: 100 } }, stages: [{ name: One, approvers: anyone }] }`,
  'policy: writing\nmatch: { tool: Write }\nconfirm: {}',
  'policy: reading-tools\nmatch: { annotations: { readOnlyHint: true } }\nallow: { ceiling: low }',
];

beforeAll(async () => {
  server = await startTestServer();
  approver = await server.newUser();
  await applyPolicies(server.engine, policies);
  apiKey = await server.newServerKey('claude-code');
  client = createClient({ url: server.url, apiKey });
});
afterAll(() => server?.stop());

const eventOf = (command: string, more: Partial<HookEvent> = {}): HookEvent => ({
  hook_event_name: 'PreToolUse',
  session_id: 'one',
  cwd: '/work',
  tool_name: 'Bash',
  tool_input: { command },
  ...more,
});

type Hints = Partial<CallHints> | ((event: HookEvent) => CallHints);
const judge = (event: HookEvent, harness: Harness = 'claude-code', holdTimeoutMs = 60_000, hints: Hints = {}) => {
  const hintsNow = typeof hints === 'function' ? hints : () => ({ places: [], ...hints });
  return judgeEvent({ client: Promise.resolve(client), harness, ownFiles, hintsOf: hintsNow, holdTimeoutMs }, event);
};

describe('a built-in tool', () => {
  test('runs without a person if a policy allows it', async () => {
    expect(await judge(eventOf('npm test'))).toEqual({ isAllowed: true, input: { command: 'npm test' } });
  });

  test.each([
    ['claude-code', 'Bash', true],
    ['claude-code', 'mcp__files__write', true],
    ['claude-code', 'ExitPlanMode', false], // with an input, a yes is the person's own answer
    ['codex', 'apply_patch', true],
    ['codex', 'view_image', false],
    ['gemini-cli', 'run_shell_command', false], // its model reads that a hook has changed the input
  ] as const)(
    'of %s gets its approved input back with a yes, so that no hook before changes it: %s, %s',
    async (...[harness, tool_name, isGivenBack]) => {
      const event = eventOf('npm test', { tool_name });
      const verdict = await judge(event, harness, 60_000, { annotations: { readOnlyHint: true } });
      expect(verdict).toEqual({ isAllowed: true, ...(isGivenBack && { input: event.tool_input }) });
    },
  );

  test('waits for people, who see what runs and where, and their edit reaches it', async () => {
    const verdict = judge(eventOf('rm -rf build dist'));
    const { id } = await findRequest(approver, 'Run Bash?');
    const { digest, ...shown } = await approver.show(id);
    expect(JSON.stringify(shown)).toContain('rm -rf build dist');
    expect(JSON.stringify(shown)).toContain('/work');
    const edit = { digest, arguments: { command: 'rm -rf build' } };
    expect((await approver.call('POST', `/api/elicitations/${id}/edit`, edit)).status).toBe(200);
    expect((await approver.vote(id, 'accept', {})).status).toBe(200);
    expect(await verdict).toEqual({ isAllowed: true, input: { command: 'rm -rf build' } });
  });

  test('does not run if people decline, and the model reads why', async () => {
    const verdict = judge(eventOf('git push --force'));
    const { id } = await findRequest(approver, 'Run Bash?');
    expect((await approver.vote(id, 'decline')).ok).toBe(true);
    expect(await verdict).toEqual({ isAllowed: false, reason: expect.stringContaining('Declined; nothing was run.') });
  });

  test('that is not decided in time is named by its id, and the same call again finds the decision once', async () => {
    const event = eventOf('make release');
    const pending = await judge(event, 'codex', 200);
    const { id } = await findRequest(approver, 'Run Bash?');
    expect(pending).toEqual({ isAllowed: false, reason: expect.stringContaining(id) });
    expect((await approver.vote(id, 'accept', {})).status).toBe(200);
    expect(await judge(event, 'codex')).toEqual({ isAllowed: true, input: event.tool_input });
    const again = await judge(event, 'codex', 200);
    const next = await findRequest(approver, 'Run Bash?');
    expect([again.isAllowed, next.id === id]).toEqual([false, false]);
    expect((await approver.vote(next.id, 'decline')).ok).toBe(true);
  });

  test('that a policy leaves to the requester names the page where they answer', async () => {
    const { isAllowed, ...more } = await judge(eventOf('', { tool_name: 'Write' }), 'claude-code', 200);
    expect([isAllowed, more]).toEqual([
      false,
      { reason: expect.stringMatching(/^Not answered yet: "Run Write\?"\. Ask .*\/e\/.* Call again .* asks again\.$/) },
    ]);
  });

  test('runs without a person if it only reads within the project, by the policy for tools that say so', async () => {
    const event = eventOf('', { tool_name: 'Read', tool_input: { file_path: '/work/a.ts' } });
    const hints = { annotations: { readOnlyHint: true } };
    expect(await judge(event, 'claude-code', 60_000, hints)).toEqual({ isAllowed: true, input: event.tool_input });
    expect((await judge(event, 'claude-code', 200)).isAllowed).toBe(false); // nothing says so
  });

  test('that begins an interactive program says what that means, and no policy allows it', async () => {
    const hints = hintsOf(
      eventOf('npm test | bash'),
      {
        project: null,
        shell: null,
        digest: () => '',
        folder: '/work',
        variables: {},
        realPath: String,
        skillsOf: () => [],
        agentsOf: () => [],
      },
      adapters['claude-code'].tools,
    );
    const pending = await judge(eventOf('npm test'), 'codex', 200, hints);
    expect(pending.isAllowed).toBe(false); // although a policy allows this command at medium risk
    const { id } = await findRequest(approver, `Run Bash? ${hints.note}`);
    expect(await approver.show(id)).toMatchObject({ risk: 'high' });
  });

  test('runs once by one approval, also if two hooks wait for it', async () => {
    const event = eventOf('npm publish');
    const verdicts = [judge(event), judge(event)];
    const { id } = await findRequest(approver, 'Run Bash?');
    expect((await approver.vote(id, 'accept', {})).status).toBe(200);
    const [yes, no] = (await Promise.all(verdicts)).toSorted((a) => (a.isAllowed ? -1 : 1));
    expect([yes?.isAllowed, no]).toEqual([true, { isAllowed: false, reason: expect.stringContaining('run twice') }]);
  });
});

describe('a path that leads elsewhere once people have approved the call', () => {
  const folder = newFolder('project');
  const file = path.join(folder, 'docs', 'notes.md');
  const event = eventOf('', { tool_name: 'Edit', cwd: folder, tool_input: { file_path: file, new_string: 'x' } });
  const hintsNow = (of: HookEvent): CallHints =>
    hintsOf(of, readProject(of, { home: '/nowhere', project: folder, variables: {} }), adapters['claude-code'].tools);
  test.each([
    ['another folder', newFolder('elsewhere'), /^Make the same call again: what it leads to has changed/],
    ["Assentry's own", directory, /leads into Assentry's own files/],
  ])('is not taken: %s', async (_name, elsewhere, reason) => {
    mkdirSync(path.dirname(file));
    const verdict = judge(event, 'claude-code', 60_000, hintsNow);
    const { id } = await findRequest(approver, 'Run Edit?');
    rmSync(path.dirname(file), { recursive: true });
    symlinkSync(elsewhere, path.dirname(file));
    expect((await approver.vote(id, 'accept', {})).status).toBe(200);
    expect(await verdict).toEqual({ isAllowed: false, reason: expect.stringMatching(reason) });
    rmSync(path.dirname(file));
  });
});

describe("a call that leads into Assentry's own files", () => {
  test.each([
    ['Read', { file_path: `${directory}/secret` }],
    ['Bash', { command: `cd ${directory}; cat set-up-link` }],
    ['Grep', { pattern: 'asn_', path: '/' }],
    ['Edit', { file_path: `${directory}/serving`, old_string: 'a', new_string: 'b' }],
  ])('by %s is refused before any policy, and recorded', async (tool_name, tool_input) => {
    const verdict = await judge(eventOf('', { tool_name, tool_input }));
    expect(verdict).toEqual({ isAllowed: false, reason: expect.stringContaining('no call may reach') });
    const [latest] = await listRequests(approver, 'done');
    expect(latest).toMatchObject({ tool: 'assentry.refusal', status: 'cancelled' });
  });

  test('is refused by what an approver makes of it', async () => {
    const verdict = judge(eventOf('cat notes'));
    const { id } = await findRequest(approver, 'Run Bash?');
    const { digest } = await approver.show(id);
    const edit = { digest, arguments: { command: `cat ${directory}/secret` } };
    expect((await approver.call('POST', `/api/elicitations/${id}/edit`, edit)).status).toBe(200);
    expect((await approver.vote(id, 'accept', {})).status).toBe(200);
    const reason = expect.stringContaining("it leads into Assentry's own files");
    expect(await verdict).toEqual({ isAllowed: false, reason });
  });

  test('is refused without Assentry, too', async () => {
    const none = Promise.reject<AssentryClient>(new Problem('unavailable'));
    none.catch(() => {});
    const event = eventOf(`cat ${directory}/secret`);
    const verdict = await judgeEvent(
      { client: none, harness: 'codex', ownFiles, hintsOf: () => ({ places: [] }), holdTimeoutMs: 1_000 },
      event,
    );
    expect(verdict.isAllowed).toBe(false);
  });
});

describe('the answer', () => {
  const allowed = { isAllowed: true } as const;
  const edited = { isAllowed: true, input: { command: 'ls' } } as const;
  const denied = { isAllowed: false, reason: 'No.' } as const;

  test.each([
    ['claude-code', allowed, { permissionDecision: 'allow' }],
    ['claude-code', edited, { permissionDecision: 'allow', updatedInput: { command: 'ls' } }],
    ['claude-code', denied, { permissionDecision: 'deny', permissionDecisionReason: 'No.' }],
    ['codex', edited, { permissionDecision: 'allow', updatedInput: { command: 'ls' } }],
    ['codex', denied, { permissionDecision: 'deny', permissionDecisionReason: 'No.' }],
  ] as const)('to PreToolUse of %s is in its words: %j', (harness, verdict, expected) => {
    const hookSpecificOutput = { hookEventName: 'PreToolUse', ...expected };
    expect(adapters[harness].answerOf('PreToolUse', verdict)).toEqual({ hookSpecificOutput });
  });

  test.each([
    ['gemini-cli', allowed, { decision: 'allow' }],
    ['gemini-cli', denied, { decision: 'deny', reason: 'No.' }],
    [
      'gemini-cli',
      edited,
      { decision: 'allow', hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: { command: 'ls' } } },
    ],
    ['copilot-cli', edited, { permissionDecision: 'allow', modifiedArgs: { command: 'ls' } }],
    ['copilot-cli', denied, { permissionDecision: 'deny', permissionDecisionReason: 'No.' }],
    ['cursor', edited, { permission: 'allow', updated_input: { command: 'ls' } }],
    ['cursor', denied, { permission: 'deny', user_message: 'No.', agent_message: 'No.' }],
  ] as const)('to %s is in its words: %j', (harness, verdict, expected) => {
    expect(adapters[harness].answerOf('PreToolUse', verdict)).toEqual(expected);
  });

  test('to Gemini CLI cannot leave a member of the input out', () => {
    const event = eventOf('ls', { tool_input: { command: 'ls', dir_path: 'src' } });
    expect(adapters['gemini-cli'].takesInput(event, { command: 'pwd' })).toBe(false);
    expect(adapters['gemini-cli'].takesInput(event, { command: 'pwd', dir_path: '.' })).toBe(true);
  });

  test('to a command in a skill of Claude Code is in the words of its event, which takes no edits', () => {
    const hookSpecificOutput = {
      hookEventName: 'PreSkillShellCommand',
      permissionDecision: 'deny',
      permissionDecisionReason: 'No.',
    };
    const claude = adapters['claude-code'];
    expect(claude.answerOf('PreSkillShellCommand', denied)).toEqual({ hookSpecificOutput });
    const event = eventOf('ls', { hook_event_name: 'PreSkillShellCommand' });
    expect([claude.takesInput(event, event.tool_input), claude.takesInput(eventOf('ls'), {})]).toEqual([false, true]);
  });

  test('lets Codex go on by its own rules', () => expect(adapters.codex.answerOf('PreToolUse', allowed)).toEqual({}));

  test.each([
    ['codex', allowed, { behavior: 'allow' }],
    ['codex', denied, { behavior: 'deny', message: 'No.' }],
    ['claude-code', edited, { behavior: 'allow', updatedInput: { command: 'ls' } }],
  ] as const)('to PermissionRequest of %s is in its words: %j', (harness, verdict, decision) => {
    const hookSpecificOutput = { hookEventName: 'PermissionRequest', decision };
    expect(adapters[harness].answerOf('PermissionRequest', verdict)).toEqual({ hookSpecificOutput });
  });
});

test('an edit reaches the input, and never another folder', () => {
  const event = eventOf('ls');
  expect(inputOf(event, { cwd: '/work', command: 'ls -l' })).toEqual({ command: 'ls -l' });
  expect(inputOf(event, { cwd: '/etc', command: 'ls' })).toBeUndefined();
  const named = eventOf('ls', { tool_input: { command: 'ls', cwd: '/tmp' } });
  expect(inputOf(named, { command: 'ls', cwd: '/var' })).toEqual({ command: 'ls', cwd: '/var' });
});

describe('an event', () => {
  test.each([
    [
      'gemini-cli',
      {
        hook_event_name: 'BeforeTool',
        session_id: 'one',
        cwd: '/work',
        tool_name: 'Bash',
        tool_input: { command: 'ls' },
      },
    ],
    ['copilot-cli', { sessionId: 'one', cwd: '/work', toolName: 'Bash', toolArgs: { command: 'ls' } }],
    [
      'cursor',
      { conversation_id: 'one', workspace_roots: ['/work'], tool_name: 'Bash', tool_input: { command: 'ls' } },
    ],
  ] as const)('of %s is read by its own names', (harness, members) => {
    expect(readHookEvent(Buffer.from(JSON.stringify(members)), adapters[harness])).toEqual(eventOf('ls'));
  });

  const written = JSON.stringify(eventOf('ls'));
  test.each([
    ['twice the same member', written.replace('"tool_name"', '"tool_name":"Read","tool_name"')],
    ['no JSON', 'ls'],
    ['another event', written.replace('PreToolUse', 'Stop')],
    ['no input', written.replace('tool_input', 'toolInput')],
  ])('with %s is not read', (_, text) => {
    expect(() => readHookEvent(Buffer.from(text), adapters.codex)).toThrow();
  });
});

describe('the program', () => {
  function start(input: string, env: Record<string, string> = {}, url = server.url) {
    const words = ['hook', 'claude-code', '--timeout', '60', '--url', url];
    const child = spawn(process.execPath, [compiled(shippedProgram), ...words], {
      env: { PATH: process.env['PATH'] ?? '', ASSENTRY_API_KEY: apiKey, ...env },
    });
    child.stdin.end(input);
    const ended = Promise.all([
      readAll(child.stdout),
      readAll(child.stderr),
      once(child, 'exit') as Promise<[number]>,
    ]).then(([stdout, stderr, [code]]) => ({ stdout, stderr, code }));
    return { child, ended };
  }

  const run = (...how: Parameters<typeof start>) => start(...how).ended;

  test('answers with one JSON document', async () => {
    const { stdout, code } = await run(JSON.stringify(eventOf('npm test')));
    const answer = { permissionDecision: 'allow', updatedInput: { command: 'npm test' } };
    const hookSpecificOutput = { hookEventName: 'PreToolUse', ...answer };
    expect([JSON.parse(stdout), code]).toEqual([{ hookSpecificOutput }, 0]);
  });

  test('asks where its words say, whatever a project has put into the environment', async () => {
    const theirs = { ASSENTRY_URL: 'http://127.0.0.1:9', ASSENTRY_API_KEY: apiKey };
    const { stdout } = await run(JSON.stringify(eventOf('npm test')), theirs);
    expect(stdout).toContain('"permissionDecision":"allow"');
    const words = ['hook', 'claude-code', '--data-dir', newFolder('nothing-serves-here')];
    const without = spawnSync(process.execPath, [compiled(shippedProgram), ...words], {
      env: { PATH: process.env['PATH'] ?? '', ASSENTRY_URL: server.url, ASSENTRY_API_KEY: apiKey },
      input: JSON.stringify(eventOf('npm test')),
      encoding: 'utf8',
    });
    expect(without.stdout).toContain('"permissionDecision":"deny"');
  });

  test('denies, or exits with 2 and words, whatever is wrong, and shows no key', async () => {
    const [unreadable, unreachable] = await Promise.all([
      run('{'),
      run(JSON.stringify(eventOf('npm test')), {}, 'http://127.0.0.1:9'),
    ]);
    expect([unreadable.code, unreadable.stdout, unreadable.stderr !== '']).toEqual([2, '', true]);
    expect(unreachable.stdout).toMatch(/"permissionDecision":"deny".*Do not do the same in another way/);
    for (const { stdout, stderr } of [unreadable, unreachable]) expect(stdout + stderr).not.toContain(apiKey);
  });

  test('ends in time, whatever keeps it busy', async () => {
    const file = JSON.stringify(compiled('src/gateway/harness/judge-event.ts'));
    const code = `const { endLate } = await import(${file}); endLate(100); for (;;);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code]);
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  });

  describe('while Claude Code asks its own person, if they are first,', () => {
    const data = newFolder('raced');
    const here = () => ({ ASSENTRY_DATA_DIR: data });
    const before = (command: string) => JSON.stringify(eventOf(command, { hook_event_name: 'PermissionRequest' }));
    const after = (command: string) => JSON.stringify({ ...eventOf(command), hook_event_name: 'PostToolUse' });
    const atEnd = (...commands: string[]) =>
      JSON.stringify({
        hook_event_name: 'PostToolBatch',
        session_id: 'one',
        cwd: '/work',
        tool_calls: commands.map((command) => ({ tool_name: 'Bash', tool_input: { command }, tool_response: 'no' })),
      });
    const statusOf = async (id: string) => (await approver.show(id)).status;

    test('a yes withdraws the request when the call has run, and nothing else', async () => {
      const waiting = start(before('npm version'), here());
      const { id } = await findRequest(approver, 'Run Bash?');
      expect(await run(after('npm other'), here())).toEqual({ stdout: '', stderr: '', code: 0 });
      expect(await statusOf(id)).toBe('open');
      expect(await run(after('npm version'), here())).toEqual({ stdout: '', stderr: '', code: 0 });
      expect(await statusOf(id)).toBe('cancelled');
      // The agent goes on by what its person says.
      expect(await waiting.ended).toMatchObject({ stdout: '{}\n', code: 0 });
    });

    test('the end of the turn withdraws what failed, was refused or ran with another input, and nothing else', async () => {
      const waiting = start(before('npm fail'), here());
      const { id } = await findRequest(approver, 'Run Bash?');
      expect(await run(atEnd('npm ci'), here())).toEqual({ stdout: '', stderr: '', code: 0 });
      expect(await statusOf(id)).toBe('open');
      expect(await run(atEnd('npm ci', 'npm fail'), here())).toEqual({ stdout: '', stderr: '', code: 0 });
      expect(await statusOf(id)).toBe('cancelled');
      expect(await waiting.ended).toMatchObject({ stdout: '{}\n', code: 0 });
    });

    test('a no, which ends the hook, withdraws the request', async () => {
      const { child, ended } = start(before('npm slow'), here());
      const { id } = await findRequest(approver, 'Run Bash?');
      child.kill('SIGTERM');
      expect(await ended).toMatchObject({ stdout: '', code: 2 });
      expect(await statusOf(id)).toBe('cancelled');
    });
  });
});
