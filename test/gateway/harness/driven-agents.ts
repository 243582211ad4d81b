import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { adapters } from '#gateway/harness/adapters/adapters';
import { harnesses, type Harness, type HookEventName } from '#gateway/harness/adapters/harness';
import { installHook } from '#gateway/harness/install-hooks';
import { compiled, shippedProgram } from '../../support/compiled.ts';
import { newFolder } from '../../support/new-folder.ts';
import type { TestServer } from '../../support/nodes/server.ts';
import { until } from '../../support/poll.ts';
import { startModel, type Call, type MockModel } from './mock-models.ts';

const run = promisify(execFile);

/** Where scripts/install-agents.mjs puts the agents. */
export const agentFolders = { pinned: 'agents', newest: 'agents-newest' } as const;

export interface House {
  home: string;
  project: string;
  data: string;
  env: Record<string, string>;
}

export type Other = keyof typeof others;

/** Calls of the model; `inSubAgent` are those of an agent whose task has the words of `subTask`. */
interface Course {
  calls: Call[];
  inSubAgent?: Call[];
  /** Where the hook asks, if not at the server. */
  url?: string;
  /** What the person types. */
  prompt?: string;
}

export const subTask = 'You are the one who tidies up.';

/** Runs the real agents, each in a home and a project of its own with the hook installed, by a model that makes these calls. */
export async function createDrive(server: TestServer, version: keyof typeof agentFolders) {
  const keys: Partial<Record<Harness, string>> = {};
  for (const harness of harnesses) keys[harness] = await server.newServerKey(harness);
  const program = (name: string): string =>
    path.resolve('node_modules', '.cache', agentFolders[version], 'node_modules', '.bin', name);

  async function prepare(
    harness: Harness,
    { calls, inSubAgent = [], url = server.url }: Course,
    event: HookEventName = 'PreToolUse',
  ): Promise<House & { model: MockModel }> {
    const model = await startModel((opening) => (opening.includes(subTask) ? inSubAgent : calls));
    const [home, project, data] = [newFolder('home'), newFolder('project'), newFolder('data')];
    const { folder, file } = adapters[harness].placeOf({ home, variables: {} });
    mkdirSync(folder, { recursive: true });
    const program = [process.execPath, compiled(shippedProgram)];
    const words = { program, directory: data, url, timeout: 60 } as const;
    await installHook({ harness, file }, { words: { ...words, event }, undo: false, write: true });
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      ASSENTRY_API_KEY: keys[harness] ?? '',
    };
    return { home, project, data, env, model };
  }

  async function ended([name, ...words]: readonly string[], { house, env }: { house: House; env: House['env'] }) {
    const running = run(program(name ?? ''), words, { cwd: house.project, env: { ...house.env, ...env } });
    running.child.stdin?.end();
    await running;
  }

  /** Runs Claude Code without asking its own person. */
  async function claude(course: Course, arrange: (house: House) => void = () => {}) {
    const house = await prepare('claude-code', course);
    const { model, project, home } = house;
    arrange(house);
    const env = {
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      IS_SANDBOX: '1', // or it does not run as root without asking its person
    };
    await ended(['claude', '-p', course.prompt ?? 'go', '--dangerously-skip-permissions'], { house, env });
    await model.close();
    return { project, home, results: model.results };
  }

  /** Runs Claude Code on a terminal, where it asks its own person, while hooks of `PermissionRequest` ask Assentry. */
  async function claudeAsking(calls: Call[]) {
    const house = await prepare('claude-code', { calls }, 'PermissionRequest');
    const { model, project, home } = house;
    const key = 'sk-none-of-a-length-that-is-usual';
    const projects = { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } };
    const approved = { customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] } };
    writeFileSync(
      path.join(home, '.claude.json'),
      JSON.stringify({ hasCompletedOnboarding: true, theme: 'dark', projects, ...approved }),
    );
    const env = {
      ...house.env,
      TERM: 'xterm-256color',
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: key,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    };
    const command = `stty cols 120 rows 40; exec '${program('claude')}' --permission-mode default go`;
    const terminal = spawn('script', ['-qfec', command, '/dev/null'], { cwd: project, env, detached: true });
    let screen = '';
    terminal.stdout.on('data', (bytes: Buffer) => (screen += bytes.toString()));
    return {
      project,
      results: () => model.results,
      /** Resolves when the question is there. */
      isAsked: () => until(() => wordsOn(screen).includes('Doyouwant')),
      type: (keys: string) => terminal.stdin.write(keys),
      async end() {
        process.kill(-(terminal.pid ?? 0), 'SIGKILL');
        await model.close();
      },
    };
  }

  /** Runs Codex without asking its own person. */
  async function codex(course: Course, arrange: (house: House) => void = () => {}) {
    const house = await prepare('codex', course);
    const { model, project } = house;
    const config = `model = "mock"
model_provider = "mock"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.mock]
name = "mock"
base_url = "${model.url}/v1"
wire_api = "responses"
`;
    writeFileSync(path.join(house.home, '.codex', 'config.toml'), config);
    arrange(house);
    await ended(['codex', 'exec', '--dangerously-bypass-hook-trust', '--skip-git-repo-check', 'go'], {
      house,
      env: {},
    });
    await model.close();
    return { project, results: model.results };
  }

  /** Runs one of the others, which reads, runs what a policy allows, runs another command and writes a file. */
  async function other(
    harness: Other,
    arrange: (house: House) => void = () => {},
    course: Course = { calls: callsOf(harness) },
  ) {
    const { command, env, modelIn } = others[harness];
    const own: Call[] = [];
    const house = await prepare(harness, { ...course, calls: own });
    const { model, home, project } = house;
    for (const [tool, input] of course.calls)
      own.push([tool, JSON.parse(JSON.stringify(input).replaceAll('PROJECT', project)) as Call[1]]);
    writeFileSync(path.join(project, 'a.txt'), 'only this');
    if (harness === 'opencode') writeFileSync(path.join(home, '.config/opencode/opencode.json'), openCodeConfig(model));
    if (harness === 'gemini-cli') allowKey(path.join(home, '.gemini/settings.json'));
    arrange(house);
    const address = modelIn !== null && { [modelIn]: `${model.url}${harness === 'gemini-cli' ? '' : '/v1'}` };
    await ended(command, { house, env: { ...env, ...address } });
    await model.close();
    return { results: model.results, project, files: existing(project, 'allowed', 'pwn') };
  }

  return { claude, claudeAsking, codex, other };
}

/** Without what moves the cursor, and without spaces, of which it may be one. */
// oxlint-disable-next-line no-control-regex
const wordsOn = (screen: string): string => screen.replaceAll(/\u001B\[[\d;?]*[A-Za-z]|\s/g, '');

/** Whether these files are in the project. */
export const existing = (project: string, ...files: string[]): boolean[] =>
  files.map((file) => existsSync(path.join(project, file)));

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

/** What each of the others calls, if nothing else is said. */
export const callsOf = (harness: Other): Call[] => others[harness].calls.map(([tool, input]) => [tool, { ...input }]);

/** Gemini CLI takes its key from the environment only if its settings say so. */
function allowKey(file: string): void {
  const settings = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } }, ...settings }));
}

const openCodeConfig = (model: MockModel): string =>
  JSON.stringify({
    model: 'mock/m',
    small_model: 'mock/m',
    provider: {
      mock: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: `${model.url}/v1`, apiKey: 'none' },
        models: { m: { name: 'm', tool_call: true, limit: { context: 100_000, output: 1_000 } } },
      },
    },
  });
