/** Coding agents that can ask Assentry, by the names of their servers. */
export const harnesses = ['claude-code', 'codex', 'gemini-cli', 'copilot-cli', 'opencode', 'cursor'] as const;
export type Harness = (typeof harnesses)[number];

export const hookEvents = ['PreToolUse', 'PermissionRequest'] as const;
export type HookEventName = (typeof hookEvents)[number];

/** Claude Code's event for a command in the text of a skill, before the command runs. */
export const skillEvent = 'PreSkillShellCommand';
/** Events that a hook answers with a decision. */
export type JudgedEventName = HookEventName | typeof skillEvent;

/**
 * Events of an agent that asks its own person in parallel: one for a call that has run, with its final input; one for all calls
 * of a turn after the last has ended, failed and refused ones too, with the model's input.
 */
export const endEvents = ['PostToolUse', 'PostToolBatch'] as const;
