import type { HookFile, Verdict } from './adapter.ts';
import { shellCommand } from './hook-command.ts';
import { hookEvents, type HookEventName } from './harness.ts';
import { jsonHooks } from './json-hooks.ts';

/** Every tool: policies say which of them run freely, so that a tool of a later version is held. */
export const everyTool = '*';

/** Hooks as Claude Code and Codex list them. */
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
