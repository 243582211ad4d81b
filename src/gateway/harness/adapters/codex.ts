import path from 'node:path';
import { hookEvents } from './harness.ts';
import type { HarnessAdapter } from './adapter.ts';
import { answerInSpecifics, matchedHooks, shells } from './hooks.ts';

export const codex: HarnessAdapter = {
  title: 'Codex',
  events: hookEvents,
  placeOf({ home, variables }) {
    const folder = variables['CODEX_HOME'] ?? path.join(home, '.codex');
    return { folder, file: path.join(folder, 'hooks.json') };
  },
  hookFile: matchedHooks('codex'),
  tools: {
    readers: { view_image: { paths: ['path'], others: ['detail'] } },
    plans: ['update_plan', 'get_goal', 'create_goal', 'update_goal', 'request_user_input'],
    shells,
  },
  instructions: ['AGENTS.md', 'AGENTS.override.md'],
  /** Adds no member: Codex runs a call whose answer it does not know, and takes an "allow" only with a new input. */
  answerOf: (event, verdict) =>
    event === 'PreToolUse' && verdict.isAllowed === true && !verdict.input ? {} : answerInSpecifics(event, verdict),
  takesInput: ({ hook_event_name: event }) => event === 'PreToolUse',
  /** Some other tools take no input from a hook, and end with an error. */
  givesBack: ({ hook_event_name: event, tool_name: tool }) =>
    event === 'PreToolUse' && [...shells, 'apply_patch'].includes(tool),
  limits: [
    'Codex runs no hook for write_stdin: what is typed into a program that was approved and still runs is not judged.',
  ],
};
