import { runDigest, type OpenedElicitation } from '../src/sdk/client/client.ts';
import { addComment } from '#requests/deliberation/verbs/deliberate';
import { reviewLookBack } from '#requests/deliberation/verbs/edit';
import { currentElicitation } from '#requests/state/verbs/change';
import { castVote } from '#requests/voting/verbs';
import { lookAt } from '#requests/inbox/verbs/signals';
import type { ElicitationId } from '#platform/model/id';
import type { User } from '#people/directory/contract/user';
import type { RunningServer } from '../src/server/server.ts';
import { furnish, groups, type DemoHouse } from './demo-house.ts';
import {
  choose,
  chooseKind,
  drawFrom,
  refusals,
  requesters,
  requestKinds,
  type Draw,
  type RequestKind,
} from './demo-requests.ts';

/** Where the time stands; the server goes by it. */
export interface HistoryClock {
  now(): number;
  set(at: number): void;
}

interface Act {
  at: number;
  run(): Promise<void>;
}

interface Story {
  server: RunningServer;
  house: DemoHouse;
  draw: Draw;
  clock: HistoryClock;
  /** From here on nothing happens any more: what is open stays so. */
  end: number;
  /** Makes this happen then, unless it is after the end. */
  later(at: number, run: () => Promise<void>): void;
}

const minute = 60_000;
const day = 86_400_000;

/**
 * Fills an empty installation with the history of some days until `end`: people, groups, servers and policies, and requests
 * that are approved, declined, allowed, denied, withdrawn or expired at the hours of an office. Each step is the verb
 * that a person or a server uses, at its own time, so the log and the state verify. Some requests stay open.
 */
export async function fillWithHistory(
  server: RunningServer,
  clock: HistoryClock,
  { days, perDay, end }: { days: number; perDay: number; end: number },
): Promise<DemoHouse & { requests: number }> {
  const begin = end - days * day;
  clock.set(begin);
  const house = await furnish(server);
  const acts: Act[] = [];
  const draw = drawFrom(4_711);
  const later: Story['later'] = (at, run) => void (at < end && acts.push({ at, run }));
  const story: Story = { server, house, draw, clock, end, later };
  const openings = openingTimes(draw, begin, days, perDay).filter((at) => at < end);
  for (const at of openings) later(at, () => ask(story, chooseKind(draw)));
  // The first three kinds wait for someone when the history ends.
  for (const [place, kind] of requestKinds.slice(0, 3).entries())
    later(end - (50 - 20 * place) * minute, () => ask(story, kind, false));
  for (let next = takeEarliest(acts); next; next = takeEarliest(acts)) {
    clock.set(Math.max(Math.floor(next.at), clock.now() + 1));
    await next.run();
  }
  clock.set(end);
  return { ...house, requests: openings.length + 3 };
}

function takeEarliest(acts: Act[]): Act | undefined {
  const at = acts.reduce((first, act, index) => (act.at < (acts[first]?.at ?? act.at + 1) ? index : first), 0);
  return acts.splice(at, 1)[0];
}

/** Office hours in Central Europe, with few requests at night and on weekends. */
function openingTimes(draw: Draw, begin: number, days: number, perDay: number): number[] {
  return Array.from({ length: days }, (_, at) => begin + at * day).flatMap((from) => {
    const midnight = Math.floor(from / day) * day;
    const isWeekend = [0, 6].includes(new Date(midnight).getUTCDay());
    const count = Math.ceil((isWeekend ? 0.2 : 1) * perDay * (0.7 + 0.6 * draw()));
    return Array.from({ length: count }, () => midnight + hourOfDay(draw) * 60 * minute);
  });
}

const hourOfDay = (draw: Draw): number => (draw() < 0.08 ? 24 * draw() : 6 + 5 * (draw() + draw()));

async function ask({ draw: shared, ...rest }: Story, kind: RequestKind, isDecided = true): Promise<void> {
  // Each request draws on its own: which ones are sampled is not ours to say, and must not change what befalls others.
  const draw = drawFrom(1 + Math.floor(1e9 * shared()));
  const story = { ...rest, draw };
  const { house, clock, later, server } = story;
  const client = house.servers[kind.server];
  const requester = { subject: choose(draw, requesters) };
  const question = { ...kind.question(draw), requester };
  const opened = await client.open({ ...question, call: `call-${clock.now()}-${Math.floor(draw() * 1e9)}` });
  if (opened.status !== 'open') return finish(story, kind, opened, question);
  if (!isDecided) return;
  const at = clock.now();
  const end = at + kind.deadline;
  later(end + 1_000, async () => void (await currentElicitation(server.engine, opened.id as ElicitationId)));
  const fate = draw();
  if (fate < 0.05) return; // no one comes to it in time
  if (fate < 0.13) return later(at + 12 * minute * draw(), () => withdraw(story, kind, opened));
  let opensAt = at + waitOf(draw);
  for (const name of pick(draw, groups[kind.group ?? 'finance'], kind.approvals)) {
    const voter = house.people[name];
    later(Math.min(opensAt, end - 5 * minute), () => decide(story, kind, voter, opened, question));
    opensAt += waitOf(draw);
  }
}

/** Some minutes, sometimes hours. */
const waitOf = (draw: Draw): number => minute * (0.5 + 6 * draw() + (draw() < 0.15 ? 90 * draw() : 0));

const pick = <T>(draw: Draw, from: readonly T[], count: number): T[] =>
  from
    .map((item) => ({ item, place: draw() }))
    .toSorted((first, second) => first.place - second.place)
    .slice(0, count)
    .map(({ item }) => item);

async function withdraw({ house }: Story, kind: RequestKind, { id }: OpenedElicitation): Promise<void> {
  const client = house.servers[kind.server];
  if ((await client.get(id)).status === 'open') await client.cancel(id, {});
}

/** Opens the request, reads it for some seconds, and votes. */
async function decide(
  story: Story,
  kind: RequestKind,
  voter: User,
  opened: OpenedElicitation,
  question: Parameters<typeof runDigest>[0],
): Promise<void> {
  const { server, draw, clock, later, house } = story;
  const id = opened.id as ElicitationId;
  const by = { kind: 'user', id: voter.id } as const;
  await server.engine.access.recordAccess({ type: 'access.read', what: 'request', by, about: [id] });
  if (draw() < 0.08) await addComment(server.engine, voter, id, { text: 'I am looking into this one.' });
  const reading = draw() < 0.06 ? 2_000 + 2_500 * draw() : 7_000 + 80_000 * draw();
  const action = draw() < kind.approved ? 'accept' : 'decline';
  const comment =
    action === 'decline' ? choose(draw, refusals) : draw() < 0.2 || kind.approved < 0.5 ? 'Checked.' : undefined;
  later(clock.now() + reading, async () => {
    const client = house.servers[kind.server];
    if ((await client.get(id)).status !== 'open') return;
    await castVote(server.engine, voter, id, { action, content: {}, comment, digest: opened.digest });
    const now = await client.get(id);
    if (now.status === 'accepted')
      later(clock.now() + 1_000, () => finish(story, kind, { ...opened, status: now.status }, question));
  });
}

/** The call runs, and its result is delivered; of what was allowed, a reviewer looks at some. */
async function finish(
  { house, draw, clock, later, server }: Story,
  kind: RequestKind,
  { id, status, toolCall }: Pick<OpenedElicitation, 'id' | 'status' | 'toolCall'>,
  question: Parameters<typeof runDigest>[0],
): Promise<void> {
  if (status !== 'accepted') return;
  const client = house.servers[kind.server];
  await client.claim(toolCall, { attempt: 'first', run: await runDigest(question) });
  clock.set(clock.now() + 200 + Math.floor(3_000 * draw()));
  await client.complete(toolCall, { attempt: 'first', delivered: true, result: { done: true } });
  const request = id as ElicitationId;
  if (kind.group !== null || !(await server.engine.proceedings.lookBack(request)) || draw() < 0.3) return;
  later(clock.now() + day * draw(), async () => {
    const { grace } = house.people;
    await lookAt(server.engine, grace, request, { reason: 'It was chosen for a later look.' });
    const shouldHaveAsked = draw() < 0.1;
    const finding = shouldHaveAsked ? 'This customer had asked us not to be looked up.' : '';
    await reviewLookBack(server.engine, grace, request, { shouldHaveAsked, finding });
  });
}
