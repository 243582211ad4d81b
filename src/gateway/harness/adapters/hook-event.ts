import { z } from 'zod';
import { parseStrictJson } from '#core/crypto/strict-json';
import { namePattern } from '#protocol/model/names';
import { Problem } from '#protocol/model/problem';
import { isObject } from '../../frames/frame.ts';
import { readText } from '../../frames/read-text.ts';
import { hookEvents, ranEvent, skillEvent } from './harness.ts';

/** What of a harness's event is read, by the names of Claude Code; it says more, and newer versions will. */
const HookEvent = z.object({
  hook_event_name: z.enum([...hookEvents, skillEvent, ranEvent]),
  session_id: z.string().min(1).max(256),
  cwd: z.string().min(1),
  tool_name: z.string().regex(namePattern),
  tool_input: z.record(z.string(), z.unknown()),
  /** The skill whose text has the command. */
  command_name: z.string().optional(),
});
export type HookEvent = z.output<typeof HookEvent>;

const limits = { depth: 100, members: 1_000_000 };

/** The event as the harness wrote it; `INVALID_INPUT` if two programs could read it differently, or it is not one. */
export function readHookEvent(
  bytes: Buffer,
  { eventOf = (members) => members }: { eventOf?(members: Record<string, unknown>): Record<string, unknown> },
): HookEvent {
  const text = readText(bytes);
  if (text === null) throw unreadable();
  const members = parseStrictJson(text, limits);
  const { data, error } = HookEvent.safeParse(isObject(members) ? eventOf(members) : members);
  if (data) return data;
  throw unreadable(error.issues.map(({ path, message }) => ({ path: path.map(String), message })));
}

const unreadable = (errors: { path: string[]; message: string }[] = []): Problem =>
  new Problem('INVALID_INPUT', { detail: 'Update Assentry or the harness: its event cannot be read.', errors });

/** What people see and decide about: the tool's input, and the folder in which it runs. */
export const argumentsOf = ({ tool_input: input, cwd }: HookEvent): Record<string, unknown> => ({ cwd, ...input });

/** The tool's input in approved arguments; undefined if they name another folder, which a hook cannot change. */
export function inputOf(
  event: HookEvent,
  { ...approved }: Record<string, unknown>,
): Record<string, unknown> | undefined {
  if ('cwd' in event.tool_input) return approved;
  const { cwd, ...input } = approved;
  return cwd === event.cwd ? input : undefined;
}
