import type { AssentryClient } from '#sdk/client/client';
import { refuseUnapproved } from '#sdk/mcp/elicit/request/approve';
import type { IncomingCall, ToolResult } from '#sdk/mcp/question/call/incoming-call';
import { canonicalText } from '#platform/model/hashed-text';
import { readSettings } from '#sdk/mcp/tools/own-tools/options';
import { runCall } from '#sdk/mcp/tools/own-tools/run-call';
import { RefusedCalls, refusalOf } from '../../calls/own-files.ts';
import { localPrincipal } from '../../identity/caller.ts';
import type { OwnFiles } from '../../own-files/own-files/own-files.ts';
import type { CallHints } from './call-hints.ts';
import type { Verdict } from '../adapters/adapter/adapter.ts';
import { adapters } from '../adapters/adapters.ts';
import type { Harness } from '../adapters/harness.ts';
import type { RacedCall } from './raced-call.ts';
import { argumentsOf, inputOf, type HookEvent } from '../adapters/hook-event.ts';

interface Judging {
  /** If it cannot be had, no call runs. */
  client: Promise<AssentryClient>;
  harness: Harness;
  ownFiles: OwnFiles;
  /** What there is to say of a call now: what is on the disk may be another thing once people have answered. */
  hintsOf(event: HookEvent): CallHints;
  /** It is a tool of an MCP server that the hook leaves to the gateway. */
  isElsewhere?: boolean;
  /** Milliseconds to wait for people; then the model is told to make the same call again. */
  holdTimeoutMs: number;
  /** The agent's own person is asked as well. */
  raced?: RacedCall | undefined;
}

/**
 * What policies and people say about a call that a harness is about to run. A yes is claimed for exactly this call and
 * given to one hook, so that the call runs at most once; the same call later is asked about again. A call that leads into
 * Assentry's own files is refused before, and rejects if Assentry cannot be had.
 */
export async function judgeEvent(judging: Judging, event: HookEvent): Promise<Verdict> {
  const { harness, holdTimeoutMs, raced } = judging;
  const hints = judging.hintsOf(event);
  const path = findOwn(judging, event, hints);
  if (path !== null) return refuse(judging, event, path);
  if (judging.isElsewhere) return { isAllowed: null };
  const reached = await judging.client;
  const client = raced?.noting(reached) ?? reached;
  const args = argumentsOf(event);
  let approved: Record<string, unknown> | undefined;
  const result = await runCall(
    receive(judging, hints, event, args),
    client,
    readSettings({ holdTimeoutMs }),
    async (elicit, input) => {
      const refusal = await refuseUnapproved(elicit, questionOf(event, hints), { audience: 'approvers' });
      if (!refusal) approved = input as Record<string, unknown>;
      return refusal ?? { content: [] };
    },
  );
  if (!approved && raced?.isWithdrawn()) return { isAllowed: null };
  raced?.forget();
  if (!approved) return { isAllowed: false, reason: reasonOf(result) };
  const isEdited = canonicalText(approved) !== canonicalText(args);
  const input = inputOf(event, approved);
  const now = isEdited ? { ...event, tool_input: input ?? event.tool_input } : event;
  const hintsNow = judging.hintsOf(now);
  const ownPath = findOwn(judging, now, hintsNow);
  if (ownPath !== null) return refuse(judging, now, ownPath);
  if (isOther(hints, hintsNow, isEdited)) return { isAllowed: false, reason: leadsElsewhere };
  const hasInput = isEdited || adapters[harness].givesBack?.(event) === true;
  return { isAllowed: true, ...(hasInput && { input }) };
}

const findOwn = ({ ownFiles }: Judging, { tool_name: tool, tool_input: input }: HookEvent, { loads = [] }: CallHints) =>
  [ownFiles.findPath(tool, input), ...loads.map((file) => ownFiles.findPath('Read', { file_path: file }))].find(
    (own) => own !== null,
  ) ?? null;

const leadsElsewhere =
  'Make the same call again: what it leads to has changed since people were asked, by a link or a file. Nothing was run.';

/** Would people read now what they did not when they were asked, or do its paths lead elsewhere? */
const isOther = (shown: CallHints, now: CallHints, isEdited: boolean): boolean =>
  (now.note !== undefined && now.note !== shown.note) ||
  (!isEdited && canonicalText(now.places) !== canonicalText(shown.places));

async function refuse({ client, harness }: Judging, event: HookEvent, path: string): Promise<Verdict> {
  const refusals = new RefusedCalls(client);
  refusals.note({ server: harness, tool: event.tool_name, path, requester: requesterAt(harness) });
  await refusals.flush();
  return { isAllowed: false, reason: refusalOf(path) };
}

const requesterAt = (harness: Harness) => ({ ...localPrincipal(), client: { name: harness } });

const questionOf = ({ tool_name: tool }: HookEvent, { note }: CallHints): string =>
  note === undefined ? `Run ${tool}?` : `Run ${tool}? ${note}`;

const receive = (
  { harness }: Judging,
  { annotations }: CallHints,
  event: HookEvent,
  args: Record<string, unknown>,
): IncomingCall => ({
  tool: { name: event.tool_name, ...(annotations && { annotations }) },
  args,
  session: event.session_id,
  requester: requesterAt(harness),
  capabilities: undefined,
  signal: new AbortController().signal,
  sendProgress: undefined,
  hasOutputSchema: false,
  ask: async () => ({ kind: 'unsupported', reason: 'No one is at a client.' }),
  ...(adapters[harness].takesInput(event, event.tool_input) && {
    readSeen: async (shown: Record<string, unknown>) => {
      const input = inputOf(event, shown);
      return input && adapters[harness].takesInput(event, input) ? shown : undefined;
    },
  }),
});

/** A model that only reads "try again later" does so at once, or takes another tool. */
const notReached =
  'Nothing was run. Do not do the same in another way: tell the person you work for, and stop if it fails once more.';

function reasonOf({ content, _meta: meta = {} }: ToolResult): string {
  const pending = meta['elicitationPending'] as { elicitId: string; statusUrl: string; url?: string } | undefined;
  const [first] = content as { text?: string }[];
  // The requester answers on a page. What follows that line names a tool that no harness has.
  if (pending?.url !== undefined) return `${first?.text?.split('\n')[0]} A changed call asks again.`;
  if (pending)
    return (
      `Not decided yet: people were asked about this call (${pending.elicitId}). Make exactly the same call again to go ` +
      `on waiting; a changed call asks again. Status: ${pending.statusUrl}`
    );
  if (meta['code'] === 'unavailable') return `${first?.text} ${notReached}`;
  return (
    first?.text ?? 'An equal call ran by this approval, and this one did not. Make it again only if it must run twice.'
  );
}
