import path from 'node:path';
import { isObject } from '../../frames/frame.ts';
import type { HarnessAdapter } from './adapter.ts';
import { shellCommand, jsonHooks } from './hooks.ts';

export const cursor: HarnessAdapter = {
  title: 'Cursor',
  events: ['PreToolUse'],
  placeOf: ({ home }) => ({
    folder: path.join(home, '.cursor'),
    file: path.join(home, '.cursor', 'hooks.json'),
  }),
  hookFile: jsonHooks({
    events: ['preToolUse'],
    groupsOf: (words) => ({
      preToolUse: {
        command: shellCommand('cursor', words),
        timeout: words.timeout,
        failClosed: true,
      },
    }),
    needs: { version: 1 },
    fixed: ['failClosed', 'matcher'],
  }),
  tools: { readers: {}, plans: [], shells: ['Shell'] },
  eventOf: ({ conversation_id: session, cwd, workspace_roots: roots, tool_name: tool, tool_input: input }) => ({
    hook_event_name: 'PreToolUse',
    session_id: session,
    cwd: typeof cwd === 'string' && cwd !== '' ? cwd : [roots].flat()[0],
    tool_name: tool,
    tool_input: isObject(input) ? input : undefined,
  }),
  instructions: ['AGENTS.md'],
  answerOf(_event, verdict) {
    if (verdict.isAllowed === null) return {};
    if (!verdict.isAllowed) return { permission: 'deny', user_message: verdict.reason, agent_message: verdict.reason };
    return { permission: 'allow', ...(verdict.input && { updated_input: verdict.input }) };
  },
  takesInput: () => true,
  limits: ['The hook of Cursor follows its documentation, and was not tried with Cursor itself.'],
};
