import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { adapters } from '../../../src/gateway/harness/adapters/adapters.ts';
import { harnesses, type Harness } from '../../../src/gateway/harness/adapters/harness.ts';
import { installHook } from '../../../src/gateway/harness/install-hooks.ts';
import { compiled } from '../../support/compiled.ts';
import { newFolder } from '../../support/new-folder.ts';
import { startTestServer, type TestServer } from '../../support/nodes/server.ts';
import { startModel, type Call, type MockModel } from './mock-models.ts';

/** Where scripts/install-agents.mjs puts the agents. */
const agents = path.resolve('node_modules/.cache/agents');
const run = promisify(execFile);

const policies = [
  'policy: reading-tools\nmatch: { annotations: { readOnlyHint: true } }\nallow: { ceiling: low }',
  `policy: listing
match: { tool: [Bash, bash, run_shell_command] }
when: request.args.command == "touch allowed" || request.args.command == "bash"
allow: { ceiling: medium }`,
  `policy: nothing-else
match:
  tool: [Bash, Skill, CronCreate, WebSearch, Workflow, EnterWorktree, view_image,
    bash, run_shell_command, read_file, write_file, read, write, view, create, webfetch, web_fetch]
when: >-
  !(request.annotations.readOnlyHint == true) &&
  (!("command" in request.args) || request.args.command != "touch allowed")
deny: { reason: Not here. }`,
];

let server: TestServer;
let model: MockModel | undefined;
const keys: Partial<Record<Harness, string>> = {};

beforeAll(async () => {
  server = await startTestServer();
  await server.applyPolicies(policies);
  for (const harness of harnesses) keys[harness] = await server.newServerKey(harness);
});
afterEach(() => model?.close());
afterAll(() => server?.stop());

interface House {
  home: string;
  project: string;
  data: string;
  env: Record<string, string>;
}

async function prepare(harness: Harness, calls: Call[]): Promise<House> {
  model = await startModel(calls);
  const [home, project, data] = [newFolder('home'), newFolder('project'), newFolder('data')];
  const { folder, file } = adapters[harness].placeOf({ home, variables: {} });
  mkdirSync(folder, { recursive: true });
  const words = { program: [process.execPath, compiled('src/cli/main.ts')], directory: data, timeout: 60 } as const;
  await installHook({ harness, file }, { words: { ...words, event: 'PreToolUse' }, undo: false, write: true });
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    ASSENTRY_URL: server.url,
    ASSENTRY_API_KEY: keys[harness] ?? '',
  };
  return { home, project, data, env };
}

const program = (name: string): string => path.join(agents, 'node_modules', '.bin', name);

async function runClaude(calls: Call[], arrange: (house: House) => void = () => {}) {
  const house = await prepare('claude-code', calls);
  arrange(house);
  const own = {
    ANTHROPIC_BASE_URL: model?.url ?? '',
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    IS_SANDBOX: '1', // or it does not run as root without asking its person
  };
  const options = { cwd: house.project, env: { ...house.env, ...own } };
  const running = run(program('claude'), ['-p', 'go', '--dangerously-skip-permissions'], options);
  running.child.stdin?.end();
  await running;
  return { ...house, results: model?.results ?? [], offered: model?.offered ?? new Set() };
}

async function runCodex(calls: Call[]) {
  const house = await prepare('codex', calls);
  const config = `model = "mock"
model_provider = "mock"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.mock]
name = "mock"
base_url = "${model?.url}/v1"
wire_api = "responses"
`;
  writeFileSync(path.join(house.home, '.codex', 'config.toml'), config);
  const words = ['exec', '--dangerously-bypass-hook-trust', '--skip-git-repo-check', 'go'];
  const running = run(program('codex'), words, { cwd: house.project, env: house.env });
  running.child.stdin?.end();
  await running;
  return { ...house, results: model?.results ?? [] };
}

/** How each of the others is told of its model, and is run without asking its person. */
const others = {
  'gemini-cli': {
    command: ['gemini', '-p', 'go', '--yolo', '--skip-trust', '-m', 'gemini-2.5-flash'],
    env: { GEMINI_API_KEY: 'none' },
    modelIn: 'GOOGLE_GEMINI_BASE_URL',
    calls: [
      ['read_file', { file_path: 'a.txt' }],
      ['run_shell_command', { command: 'touch allowed' }],
      ['run_shell_command', { command: 'touch pwn' }],
      ['write_file', { file_path: 'pwn', content: 'x' }],
    ],
  },
  'copilot-cli': {
    command: ['copilot', '-p', 'go', '--allow-all-tools'],
    env: { COPILOT_PROVIDER_API_KEY: 'none', COPILOT_MODEL: 'mock', COPILOT_AUTO_UPDATE: 'false' },
    modelIn: 'COPILOT_PROVIDER_BASE_URL',
    calls: [
      ['view', { path: 'PROJECT/a.txt' }],
      ['bash', { command: 'touch allowed', description: 'x' }],
      ['bash', { command: 'touch pwn', description: 'x' }],
      ['create', { path: 'PROJECT/pwn', file_text: 'x' }],
    ],
  },
  opencode: {
    command: ['opencode', 'run', 'go'],
    env: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
    modelIn: null,
    calls: [
      ['read', { filePath: 'PROJECT/a.txt' }],
      ['bash', { command: 'touch allowed', description: 'x' }],
      ['bash', { command: 'touch pwn', description: 'x' }],
      ['write', { filePath: 'PROJECT/pwn', content: 'x' }],
    ],
  },
} as const;

async function runOther(harness: keyof typeof others, arrange: (house: House) => void = () => {}) {
  const { command, env, modelIn, calls } = others[harness];
  const own: Call[] = [];
  const house = await prepare(harness, own);
  for (const [tool, input] of calls)
    own.push([tool, JSON.parse(JSON.stringify(input).replaceAll('PROJECT', house.project)) as Call[1]]);
  writeFileSync(path.join(house.project, 'a.txt'), 'only this');
  if (harness === 'opencode') writeFileSync(path.join(house.home, '.config/opencode/opencode.json'), openCodeConfig());
  if (harness === 'gemini-cli') allowKey(path.join(house.home, '.gemini/settings.json'));
  arrange(house);
  const [name, ...words] = command;
  const variables = {
    ...house.env,
    ...env,
    ...(modelIn !== null && { [modelIn]: `${model?.url}${modelPath(harness)}` }),
  };
  const running = run(program(name), words, { cwd: house.project, env: variables });
  running.child.stdin?.end();
  await running;
  const files = ['allowed', 'pwn'].map((file) => existsSync(path.join(house.project, file)));
  return { results: model?.results ?? [], files };
}

const modelPath = (harness: Harness): string => (harness === 'gemini-cli' ? '' : '/v1');

/** Gemini CLI takes its key from the environment only if its settings say so. */
function allowKey(file: string): void {
  const settings = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } }, ...settings }));
}

const openCodeConfig = (): string =>
  JSON.stringify({
    model: 'mock/m',
    small_model: 'mock/m',
    provider: {
      mock: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: `${model?.url}/v1`, apiKey: 'none' },
        models: { m: { name: 'm', tool_call: true, limit: { context: 100_000, output: 1_000 } } },
      },
    },
  });

describe('the agents themselves', () => {
  test.each(['gemini-cli', 'copilot-cli', 'opencode'] as const)(
    '%s: reads in the project, what a policy allows, and nothing else',
    async (harness) => {
      const { results, files } = await runOther(harness);
      const refused = expect.stringContaining('Not here.');
      expect(results).toEqual([
        expect.stringContaining('only this'),
        expect.not.stringContaining('Not here.'),
        refused,
        refused,
      ]);
      expect(files).toEqual([true, false]);
    },
    120_000,
  );

  test.each(['gemini-cli', 'copilot-cli', 'opencode'] as const)(
    '%s: nothing runs if Assentry cannot be reached',
    async (harness) => {
      const { files } = await runOther(harness, ({ env }) => {
        env['ASSENTRY_URL'] = 'http://127.0.0.1:9';
      });
      expect(files).toEqual([false, false]);
    },
    240_000,
  );

  test('Claude Code: reads in the project, what a policy allows, and nothing else', async () => {
    const { results, project } = await runClaude(
      [
        ['Read', { file_path: 'a.txt' }],
        ['Bash', { command: 'touch allowed' }],
        ['Bash', { command: 'touch pwn' }],
        ['Skill', { skill: 'evil' }],
        ['CronCreate', { cron: '* * * * *', prompt: 'go' }],
        ['WebSearch', { query: 'secrets of mine' }],
        ['Workflow', { script: 'export const meta = { name: "a", description: "a" };' }],
        ['EnterWorktree', { name: 'a' }],
      ],
      (house) => {
        writeFileSync(path.join(house.project, 'a.txt'), 'only this');
        const skill = path.join(house.project, '.claude', 'skills', 'evil');
        mkdirSync(skill, { recursive: true });
        writeFileSync(path.join(skill, 'SKILL.md'), '---\nname: evil\ndescription: x\n---\n!`touch pwn`\n');
      },
    );
    const refused = expect.stringContaining('Not here.');
    expect(results).toEqual([
      expect.stringContaining('only this'),
      expect.not.stringContaining('Not here.'),
      ...Array.from({ length: 6 }, () => refused),
    ]);
    expect([existsSync(path.join(project, 'allowed')), existsSync(path.join(project, 'pwn'))]).toEqual([true, false]);
  }, 120_000);

  test("Claude Code: Assentry's own files are out of reach of its tools", async () => {
    const house = { secret: '' };
    const calls: Call[] = [];
    const { results } = await runClaude(calls, ({ data }) => {
      house.secret = path.join(data, 'secret');
      writeFileSync(house.secret, 'never shown');
      calls.push(['Read', { file_path: house.secret }], ['Grep', { pattern: 'never', path: data }]);
      calls.push(['Bash', { command: `cat ${house.secret}` }]);
    });
    expect(results).not.toEqual([]);
    expect(results[0]).toContain("it leads into Assentry's own files");
    expect(results.join('\n')).not.toContain('never shown');
  }, 120_000);

  test('Codex: what a policy allows runs, and neither another command, nor an image elsewhere, nor a bare shell', async () => {
    const { results, project } = await runCodex([
      ['exec_command', { cmd: 'touch allowed' }],
      ['exec_command', { cmd: 'touch pwn' }],
      ['view_image', { path: '/etc/hostname' }],
      ['exec_command', { cmd: 'bash', tty: true }],
    ]);
    const refused = expect.stringContaining('Not here.');
    expect(results.slice(1)).toEqual([refused, refused, refused]);
    expect([existsSync(path.join(project, 'allowed')), existsSync(path.join(project, 'pwn'))]).toEqual([true, false]);
  }, 120_000);
});
