import path from 'node:path';
import type { HarnessAdapter } from './adapter.ts';
import { powerShellCommand, shellCommand, jsonHooks } from './hooks.ts';

export const copilotCli: HarnessAdapter = {
  title: 'Copilot CLI',
  events: ['PreToolUse'],
  placeOf({ home, variables }) {
    const folder = variables['COPILOT_HOME'] ?? path.join(home, '.copilot');
    return { folder, file: path.join(folder, 'hooks', 'assentry.json') };
  },
  hookFile: jsonHooks({
    events: ['preToolUse'],
    groupsOf: (words) => ({
      preToolUse: {
        type: 'command',
        bash: shellCommand('copilot-cli', words),
        powershell: powerShellCommand('copilot-cli', words),
        timeoutSec: words.timeout,
      },
    }),
    needs: { version: 1 },
    fixed: ['type', 'matcher'],
  }),
  tools: {
    readers: {
      view: { paths: ['path'], others: ['view_range', 'forceReadLargeFiles'] },
      glob: { paths: ['paths', 'pattern'], others: [] },
      grep: {
        paths: ['paths', 'glob'],
        others: ['pattern', 'output_mode', 'type', 'head_limit', 'multiline', '-A', '-B', '-C', '-i', '-n'],
      },
    },
    writers: {
      create: { paths: ['path'], others: ['file_text'] },
      edit: { paths: ['path'], others: ['old_str', 'new_str'] },
    },
    plans: ['list_bash', 'read_bash', 'stop_bash', 'list_agents', 'read_agent', 'fetch_copilot_cli_documentation'],
    shells: ['bash', 'powershell'],
  },
  eventOf: ({ sessionId, cwd, toolName, toolArgs }) => ({
    hook_event_name: 'PreToolUse',
    session_id: sessionId,
    cwd,
    tool_name: toolName,
    tool_input: toolArgs,
  }),
  instructions: ['AGENTS.md', 'CLAUDE.md', '.github/copilot-instructions.md'],
  answerOf(_event, verdict) {
    if (verdict.isAllowed === null) return {};
    if (!verdict.isAllowed) return { permissionDecision: 'deny', permissionDecisionReason: verdict.reason };
    return { permissionDecision: 'allow', ...(verdict.input && { modifiedArgs: verdict.input }) };
  },
  takesInput: () => true,
  limits: ['Copilot CLI runs a call whose hook takes longer than its timeout.'],
};
