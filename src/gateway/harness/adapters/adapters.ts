import type { HarnessAdapter } from './adapter.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { copilotCli } from './copilot-cli.ts';
import { cursor } from './cursor.ts';
import { geminiCli } from './gemini-cli.ts';
import { openCode } from './opencode.ts';

/** The coding agents that can ask Assentry, by the names of their servers. */
const all = {
  'claude-code': claudeCode,
  codex,
  'gemini-cli': geminiCli,
  'copilot-cli': copilotCli,
  opencode: openCode,
  cursor,
} as const satisfies Record<string, HarnessAdapter>;

export type Harness = keyof typeof all;
export const adapters: Readonly<Record<Harness, HarnessAdapter>> = all;
export const harnesses = Object.keys(all) as Harness[];
