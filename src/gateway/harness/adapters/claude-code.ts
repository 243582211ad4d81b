import path from 'node:path';
import { hookEvents, type HookEventName } from './hook-event.ts';
import type { HarnessAdapter, HookFile, Verdict } from './adapter.ts';
import { shellCommand } from './hook-command.ts';
import { jsonHooks } from './json-hooks.ts';

/** Every tool: policies say which of them run freely, so that a tool of a later version is held. */
export const everyTool = '*';

/** The form that Codex has as well. */
export const matchedHooks = (harness: string): HookFile =>
  jsonHooks({
    events: hookEvents,
    eventOf: ({ event }) => event,
    groupOf: (words) => ({
      matcher: everyTool,
      hooks: [{ type: 'command', command: shellCommand(harness, words), timeout: words.timeout }],
    }),
    fixed: ['matcher'],
  });

export const claudeCode: HarnessAdapter = {
  title: 'Claude Code',
  events: hookEvents,
  placeOf: ({ home }) => ({
    folder: path.join(home, '.claude'),
    file: path.join(home, '.claude', 'settings.json'),
  }),
  hookFile: matchedHooks('claude-code'),
  tools: {
    readers: {
      Read: ['file_path'],
      NotebookRead: ['notebook_path'],
      LS: ['path'],
      Glob: ['path', 'pattern'],
      Grep: ['path', 'glob'],
    },
    plans: [
      'TodoRead',
      'TodoWrite',
      'TaskCreate',
      'TaskGet',
      'TaskList',
      'TaskUpdate',
      'TaskOutput',
      'TaskStop',
    ].concat(
      ['BashOutput', 'KillShell', 'ToolSearch', 'AskUserQuestion', 'EnterPlanMode', 'ExitPlanMode', 'CronList'],
      ['Agent', 'Task'],
    ),
    shells: ['Bash', 'PowerShell'],
    skill: 'Skill',
  },
  answerOf: answerInSpecifics,
  takesInput: () => true,
  leavesToGateway: () => false,
  limits: [],
};

/** The answer as Claude Code has it: under `hookSpecificOutput`. */
export function answerInSpecifics(event: HookEventName, verdict: Verdict): Record<string, unknown> {
  if (verdict.isAllowed === null) return {};
  const input = verdict.isAllowed && verdict.input !== undefined && { updatedInput: verdict.input };
  if (event === 'PermissionRequest') {
    const decision = verdict.isAllowed
      ? { behavior: 'allow', ...input }
      : { behavior: 'deny', message: verdict.reason };
    return specific({ hookEventName: event, decision });
  }
  return verdict.isAllowed
    ? specific({ hookEventName: event, permissionDecision: 'allow', ...input })
    : specific({ hookEventName: event, permissionDecision: 'deny', permissionDecisionReason: verdict.reason });
}

const specific = (hookSpecificOutput: Record<string, unknown>) => ({ hookSpecificOutput });
