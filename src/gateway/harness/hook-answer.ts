import type { Harness, HookEventName } from './hook-event.ts';

/** What was decided about a call; `input` only if people edited it. */
export type Verdict =
  | { isAllowed: true; input?: Record<string, unknown> | undefined }
  | { isAllowed: false; reason: string }
  /** The agent goes on by its own rules. */
  | { isAllowed: null };

/** Whether the harness runs a call with an input that the hook gives back. */
export const takesInput = (harness: Harness, event: HookEventName): boolean =>
  harness === 'claude-code' || event === 'PreToolUse';

/** The verdict in the words of the harness, and no word more: Codex runs a call whose answer it does not know. */
export function answerOf(harness: Harness, event: HookEventName, verdict: Verdict): Record<string, unknown> {
  if (verdict.isAllowed === null) return {};
  if (event === 'PermissionRequest') return specific({ hookEventName: event, decision: decisionOf(verdict) });
  if (!verdict.isAllowed)
    return specific({
      hookEventName: event,
      permissionDecision: 'deny',
      permissionDecisionReason: verdict.reason,
    });
  const { input: updatedInput } = verdict;
  const allowed = { hookEventName: event, permissionDecision: 'allow', ...(updatedInput && { updatedInput }) };
  // Codex takes an "allow" only with a new input; without an answer it goes on by its own rules.
  return harness === 'codex' && !updatedInput ? {} : specific(allowed);
}

function decisionOf(verdict: Exclude<Verdict, { isAllowed: null }>): Record<string, unknown> {
  if (!verdict.isAllowed) return { behavior: 'deny', message: verdict.reason };
  const { input: updatedInput } = verdict;
  return { behavior: 'allow', ...(updatedInput && { updatedInput }) };
}

const specific = (hookSpecificOutput: Record<string, unknown>) => ({ hookSpecificOutput });
