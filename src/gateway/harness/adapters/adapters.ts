import type { HarnessAdapter } from './adapter.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { copilotCli } from './copilot-cli.ts';
import { cursor } from './cursor.ts';
import { geminiCli } from './gemini-cli.ts';
import type { Harness } from './harness.ts';
import { openCode } from './opencode.ts';

/** Adapter of each agent. */
export const adapters: Readonly<Record<Harness, HarnessAdapter>> = {
  'claude-code': claudeCode,
  codex,
  'gemini-cli': geminiCli,
  'copilot-cli': copilotCli,
  opencode: openCode,
  cursor,
};
