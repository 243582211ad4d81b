/** The coding agents that can ask Assentry, by the names of their servers. */
export const harnesses = ['claude-code', 'codex', 'gemini-cli', 'copilot-cli', 'opencode', 'cursor'] as const;
export type Harness = (typeof harnesses)[number];

export const hookEvents = ['PreToolUse', 'PermissionRequest'] as const;
export type HookEventName = (typeof hookEvents)[number];

/** What Claude Code says of a command in the text of a skill, before it runs it to load that text. */
export const skillEvent = 'PreSkillShellCommand';
/** What a hook answers with a decision. */
export type JudgedEventName = HookEventName | typeof skillEvent;

/**
 * What an agent that asks its own person at the same time says of a call that has run, with the input that ran, and of all calls of
 * a turn once none runs any more, also of those that failed or were refused, with the input that its model wrote.
 */
export const endEvents = ['PostToolUse', 'PostToolBatch'] as const;
