import type { HookFile, Verdict } from '../adapter/adapter.ts';
import { shellCommand, withdrawCommand } from './hook-command.ts';
import { endEvents, hookEvents, skillEvent, type Harness, type JudgedEventName } from '../harness.ts';
import { jsonHooks } from './json-hooks.ts';

/** The tools that run a command, as Claude Code and Codex name them. */
export const shells = ['Bash', 'PowerShell'];

/** Every tool: policies say which of them run freely, so that a tool of a later version is held. */
export const everyTool = '*';

interface MatchedHooks {
  /** The agent asks its own person as well: the end of a call is an event, too. */
  isRaced?: boolean;
  /** Commands in the texts of skills are events. */
  hasSkillEvent?: boolean;
  /** Members by which the agent does not run a call whose hook fails. */
  failing?: Readonly<Record<string, string>>;
}

/** Hooks as Claude Code and Codex list them. */
export const matchedHooks = (
  harness: Harness,
  { isRaced = false, hasSkillEvent = false, failing = {} }: MatchedHooks = {},
): HookFile =>
  jsonHooks({
    events: [...hookEvents, skillEvent, ...endEvents],
    groupsOf: (words) => ({
      [words.event]: groupOf(shellCommand(harness, words), words.timeout, failing),
      ...(hasSkillEvent &&
        words.event === 'PreToolUse' && {
          [skillEvent]: groupOf(shellCommand(harness, words), words.timeout, failing),
        }),
      ...(isRaced &&
        words.event === 'PermissionRequest' &&
        Object.fromEntries(
          endEvents.map((event) => [event, groupOf(withdrawCommand(harness, words), withdrawSeconds)]),
        )),
    }),
    fixed: ['matcher'],
  });

const withdrawSeconds = 60;

const groupOf = (command: string, timeout: number, failing: Readonly<Record<string, string>> = {}) => ({
  matcher: everyTool,
  hooks: [{ type: 'command', command, timeout, ...failing }],
});

/** The answer under `hookSpecificOutput`. */
export function answerInSpecifics(event: JudgedEventName, verdict: Verdict): Record<string, unknown> {
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
