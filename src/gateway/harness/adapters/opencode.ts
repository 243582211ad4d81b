import path from 'node:path';
import type { HarnessAdapter, HookWords } from './adapter.ts';
import { answerInSpecifics, failure, hookWords, leftOut, mark, notInstalled } from './hooks.ts';

export const openCode: HarnessAdapter = {
  title: 'OpenCode',
  events: ['PreToolUse'],
  placeOf({ home, variables }) {
    const folder = path.join(variables['XDG_CONFIG_HOME'] ?? path.join(home, '.config'), 'opencode');
    return { folder, file: path.join(folder, 'plugin', 'assentry.js') };
  },
  hookFile: {
    empty: '',
    add: (text, words) => (text === '' || isOwnPlugin(text) ? pluginOf(words) : null),
    remove: (text) => (isOwnPlugin(text) ? '' : text),
    isEmpty: (text) => text === '',
    check(file, text) {
      if (text === null) return [notInstalled];
      return isOwnPlugin(text) ? [] : [`${file} is not the plugin of Assentry.`];
    },
  },
  tools: {
    readers: {
      read: { paths: ['filePath'], others: ['offset', 'limit'] },
      list: { paths: ['path'], others: ['ignore'] },
      glob: { paths: ['path', 'pattern'], others: [] },
      grep: { paths: ['path', 'include'], others: ['pattern'] },
    },
    writers: {
      write: { paths: ['filePath'], others: ['content'] },
      edit: { paths: ['filePath'], others: ['oldString', 'newString', 'replaceAll'] },
    },
    plans: ['todoread', 'todowrite', 'question', 'plan_enter', 'plan_exit', 'invalid'], // the last tells the model that there is no such tool
    shells: ['bash'],
  },
  instructions: ['AGENTS.md', 'CLAUDE.md'],
  answerOf: answerInSpecifics,
  takesInput: () => true,
  limits: [
    'OpenCode runs no plugin with --pure or OPENCODE_PURE, and loads plugins and tools of a project without a call.',
  ],
};

const isOwnPlugin = (text: string): boolean => text.includes(mark);

/** Plugin that OpenCode runs before each call. If it throws, the call does not run and the model reads the error. */
const pluginOf = (
  words: HookWords,
): string => `// Written by "assentry hook install"; it goes with "assentry hook install --undo".
import { spawn } from 'node:child_process';
import { env as environment } from 'node:process';
import { text } from 'node:stream/consumers';

const [program, ...words] = ${JSON.stringify(hookWords('opencode', words))};
const failure = ${JSON.stringify(failure)};
const env = { ...environment };
for (const name of ${JSON.stringify(leftOut(words))}) delete env[name];

async function ask(event) {
  const hook = spawn(program, words, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => {
    hook.on('error', () => resolve(1));
    hook.on('close', resolve);
  });
  hook.stdin.on('error', () => {});
  hook.stdin.end(JSON.stringify(event));
  const [answer, reason, code] = await Promise.all([text(hook.stdout), text(hook.stderr), ended]);
  if (code !== 0) throw new Error(reason.trim() || failure);
  return JSON.parse(answer).hookSpecificOutput ?? {};
}

// A plugin that comes later would change what was approved.
function freeze(value) {
  if (typeof value !== 'object' || value === null) return;
  Object.values(value).forEach(freeze);
  Object.freeze(value);
}

export const Assentry = async ({ directory }) => ({
  'tool.execute.before': async ({ tool, sessionID }, call) => {
    const event = { hook_event_name: 'PreToolUse', session_id: sessionID, cwd: directory, tool_name: tool, tool_input: call.args };
    const { permissionDecision, permissionDecisionReason, updatedInput } = await ask(event);
    if (permissionDecision !== 'allow') throw new Error(permissionDecisionReason ?? failure);
    if (updatedInput) {
      for (const name of Object.keys(call.args)) delete call.args[name];
      Object.assign(call.args, updatedInput);
    }
    freeze(call.args);
  },
});
`;
