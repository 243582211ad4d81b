import type { InboxEvent } from '../../contract/inbox/console.ts';
import type { ElicitationState } from '../../../asking/contract/open.ts';
import { routes } from '#platform/http/contract/openapi';
import { viewWithInquiry } from '../../../asking/verbs/view/elicitation-view.ts';
import { followChanges } from '#platform/nodes/verbs/engine';
import { isForeign } from '#people/directory/verbs/scope';
import { isUnreadable } from '../../../state/verbs/change/readable.ts';
import { visibleOf } from '../../verbs/visibility/visible-of.ts';
import { isStillGood } from '#access/keys/verbs/keys';
import { createListener, signedInUser } from '#access/sign-in/verbs/sessions';
import type { ServerCaller } from '#people/directory/contract/user';
import type { ApiParts } from '#platform/http/routes/parts';
import { findCaller, ownSecret } from '#platform/http/routes/authenticate';
import { openEventStream, type EventStream } from '#platform/http/routes/streams';
import { createOpenLimiter } from '#platform/http/routes/limits';

function nullIfUnreadable(error: unknown): null {
  if (isUnreadable(error)) return null;
  throw error;
}

/** Tells from where nothing is missed. If there is a gap, the reader reads again what it follows. */
const greet =
  (stream: EventStream, more: { every?: number } = {}) =>
  (place: number, hasGap: boolean): void =>
    stream.send('ready', { ...more, ...(hasGap && { hasGap }) }, place);

function endAfter(stream: EventStream, ms: number): void {
  const timer = setTimeout(() => stream.end(), ms);
  stream.signal.addEventListener('abort', () => clearTimeout(timer));
}

/** Long-lived answers. Each event carries the place from which the reader resumes without a gap. */
export function serveStreamRoutes({ engine, heartbeat, shutdown, rates, serve }: ApiParts): void {
  const acquire = createOpenLimiter(rates.streams);
  serve(routes.streamOutcomes, async ({ caller, query: { wait }, request, response, rest }) => {
    const mayListen = async (): Promise<boolean> => (await findCaller(engine, request)) !== null;
    const stream = openEventStream(response, { shutdown, heartbeat, mayListen, onEnd: acquire(caller.id) });
    rest();
    const from = request.get('last-event-id');
    const isBrief = wait !== undefined;
    if (isBrief) endAfter(stream, wait * 1000);
    const follow = {
      from,
      signal: stream.signal,
      topics: ['closed', 'inquired'] as const,
    };
    let listener: ServerCaller | null = caller;
    const mayHear = async (latest: { keys?: bigint; users?: bigint } | undefined): Promise<boolean> => {
      if (!listener || !isStillGood(engine, listener, latest ?? {})) listener = await findCaller(engine, request);
      return listener !== null;
    };
    const onReady = (place: number, hasGap: boolean): void => {
      greet(stream)(place, hasGap);
      if (isBrief && (from === undefined || hasGap)) stream.end();
    };
    await followChanges(engine, { ...follow, server: caller.id, onReady }, async (changes) => {
      if (!(await mayHear(changes.at(-1)?.event))) return stream.end();
      for (const { row, event } of changes.filter((change) => !isForeign(change.row, caller))) {
        // An unreadable row must not end the stream of all others: its reader asks for it and gets the reason.
        const state: ElicitationState | null = await viewWithInquiry(engine, row).catch(nullIfUnreadable);
        if (state) stream.send('elicitation', state, event.place);
      }
      if (isBrief) stream.end();
    });
  });

  serve(routes.streamInbox, async ({ caller, request, response, rest }) => {
    const secret = ownSecret(request, engine);
    const mayListen = async (): Promise<boolean> => (await signedInUser(engine, secret)) !== null;
    const life = { shutdown, heartbeat, isHeartbeatSeen: true, mayListen, onEnd: acquire(caller.id) };
    const stream = openEventStream(response, life);
    rest();
    const follow = { from: request.get('last-event-id'), signal: stream.signal };
    const findListener = createListener(engine, secret);
    await followChanges(engine, { ...follow, onReady: greet(stream, { every: heartbeat }) }, async (changes) => {
      const user = await findListener();
      if (!user) return stream.end();
      const rows = changes.map(({ row }) => row);
      const visible = await visibleOf(engine, user, rows, 'notice');
      for (const { row, event } of changes.filter((change) => visible.has(change.row.id))) {
        const inboxEvent: InboxEvent = { id: row.id, topic: event.topic, status: row.status };
        stream.send('inbox', inboxEvent, event.place);
      }
    });
  });
}
