import { z } from 'zod';
import { parseStrictJson } from '#platform/crypto/strict-json';
import { namePattern } from '#platform/model/names';
import { Problem } from '#platform/model/problem';
import { isObject } from '../../frames/frame.ts';
import { readText } from '../../frames/reading.ts';
import { endEvents, hookEvents, skillEvent } from './harness.ts';

// Members read from a harness's events, by the names of Claude Code; other members are ignored.
const session = { session_id: z.string().min(1).max(256) };
const call = { tool_name: z.string().regex(namePattern), tool_input: z.record(z.string(), z.unknown()) };

const JudgedCall = z.object({
  hook_event_name: z.enum([...hookEvents, skillEvent]),
  ...session,
  cwd: z.string().min(1),
  ...call,
  /** The skill whose text contains the command. */
  command_name: z.string().optional(),
});
const RanCall = z.object({ hook_event_name: z.literal('PostToolUse'), ...session, ...call });
const EndedCalls = z.object({
  hook_event_name: z.literal('PostToolBatch'),
  ...session,
  tool_calls: z.array(z.object(call)),
});
const AnyEvent = z.discriminatedUnion('hook_event_name', [JudgedCall, RanCall, EndedCalls]);

/** A call that waits for a decision. */
export type HookEvent = z.output<typeof JudgedCall>;
/** Calls that have ended. */
type EndEvent = z.output<typeof RanCall> | z.output<typeof EndedCalls>;
/** Key by which a call of a session is looked up. */
export type SessionCall = Pick<HookEvent, 'session_id' | 'tool_name' | 'tool_input'>;

export const isEnd = (event: HookEvent | EndEvent): event is EndEvent =>
  endEvents.some((name) => name === event.hook_event_name);

export const endedCalls = (event: EndEvent): SessionCall[] =>
  event.hook_event_name === 'PostToolUse'
    ? [event]
    : event.tool_calls.map((ended) => ({ session_id: event.session_id, ...ended }));

const limits = { depth: 100, members: 1_000_000 };

/** The event as the harness wrote it; `INVALID_INPUT` if it is malformed or two programs could read it differently. */
export function readHookEvent(
  bytes: Buffer,
  { eventOf = (members) => members }: { eventOf?(members: Record<string, unknown>): Record<string, unknown> },
): HookEvent | EndEvent {
  const text = readText(bytes);
  if (text === null) throw unreadable();
  const members = parseStrictJson(text, limits);
  const { data, error } = AnyEvent.safeParse(isObject(members) ? eventOf(members) : members);
  if (data) return data;
  throw unreadable(error.issues.map(({ path, message }) => ({ path: path.map(String), message })));
}

const unreadable = (errors: { path: string[]; message: string }[] = []): Problem =>
  new Problem('INVALID_INPUT', { detail: 'Update Assentry or the harness: its event cannot be read.', errors });

/** Arguments for people: the tool's input, and the folder in which it runs. */
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
