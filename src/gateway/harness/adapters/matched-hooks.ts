import type { HookFile, Verdict } from './adapter.ts';
import { shellCommand, withdrawCommand } from './hook-command.ts';
import { hookEvents, ranEvent, type Harness, type HookEventName } from './harness.ts';
import { jsonHooks } from './json-hooks.ts';

/** Every tool: policies say which of them run freely, so that a tool of a later version is held. */
export const everyTool = '*';

/** Hooks as Claude Code and Codex list them. If the agent `isRaced` by its own person, the end of a call is an event as well. */
export const matchedHooks = (harness: Harness, { isRaced = false } = {}): HookFile =>
  jsonHooks({
    events: [...hookEvents, ranEvent],
    groupsOf: (words) => ({
      [words.event]: groupOf(shellCommand(harness, words), words.timeout),
      ...(isRaced &&
        words.event === 'PermissionRequest' && {
          [ranEvent]: groupOf(withdrawCommand(harness, words), withdrawSeconds),
        }),
    }),
    fixed: ['matcher'],
  });

const withdrawSeconds = 60;

const groupOf = (command: string, timeout: number) => ({
  matcher: everyTool,
  hooks: [{ type: 'command', command, timeout }],
});

/** The answer under `hookSpecificOutput`. */
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
