import { afterAll, expect, test } from '@jest/globals';
import { getShortestPaths } from 'xstate/graph';
import { applyPolicies } from '#policies/verbs/apply';
import { withdrawElicitation } from '#requests/deliberation/verbs/deliberate';
import { castVote, withdrawVote } from '#requests/voting/verbs';
import { editElicitation } from '#requests/deliberation/verbs/edit';
import { currentElicitation } from '#requests/state/verbs/change';
import {
  mayAct,
  type ElicitationContext,
  type ElicitationEvent,
  elicitationMachine,
} from '#requests/machine/rules/machine';
import { refusal, statusOf } from '#requests/machine/rules/step';
import type { ElicitationId } from '#platform/model/id';
import type { User } from '#people/directory/contract/user';
import { Problem } from '#platform/model/problem';
import type { ElicitationRow } from '#requests/state/store/row';
import { askingAt } from '../../support/nodes/asking.ts';
import { openBrowser } from '../../support/nodes/console.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { drawn, isNight } from '../../support/runs.ts';

const start = 1_800_000_000_000;
let clock = start;

type Name = keyof typeof users;
const sources = (...names: Name[]) => JSON.stringify(names.map((name) => ({ user: users[name].email })));
const groups = () =>
  `[{ name: Pair, approve: 2, deny: 2, approvers: ${sources('a', 'b')} }, { name: Other, approvers: ${sources('b', 'c')} }]`;

/** Stages as a policy writes them. */
const shapes = {
  'one-user': () => [`approvers: ${sources('a', 'b')}, escalate: { after: 10m, replace: ${sources('d')} }`],
  'else-another-stage': () => [
    `approve: 2, approvers: ${sources('a', 'b', 'd')}, escalate: { after: 10m, stage: { name: Else, approvers: ${sources('c', 'd')} } }`,
  ],
  'two-of-three': () => [`approve: 2, deny: 2, approvers: ${sources('a', 'b', 'd')}`],
  'either-group': () => [`complete: any, groups: ${groups()}`],
  'both-groups': () => [`complete: all, groups: ${groups()}`],
  'two-then-one': () => [
    `approve: 2, deny: 2, approvers: ${sources('a', 'b', 'd')}`,
    `approvers: ${sources('c')}, escalate: { after: 10m, add: ${sources('d')} }`,
  ],
  'one-then-two': () => [
    `approvers: ${sources('a')}, escalate: { after: [{ after: 10m, add: ${sources('d')} }], then: deny }`,
    `approve: 2, deny: 2, approvers: ${sources('b', 'c', 'd')}`,
  ],
};
const policyOf = ([name, stages]: [string, () => string[]]): string => `
policy: ${name}
match: { tool: ${name} }
require:
  deadline: 1h
  editable: { amount: { type: integer } }
  stages:
${stages()
  .map((stage, at) => `    - { name: Stage ${at}, ${stage} }`)
  .join('\n')}
`;

const server = await startTestServer({ now: () => clock });
afterAll(() => server.stop());
const asking = askingAt(server.url, await server.newServerKey());
const [a, b, c, d] = await Promise.all(['a', 'b', 'c', 'd'].map(async () => (await openBrowser(server)).user));
const users = { a, b, c, d } as Record<'a' | 'b' | 'c' | 'd', User>;
await applyPolicies(server.engine, Object.entries(shapes).map(policyOf));

const escalateKey = 'xstate.after.escalate.elicitation.open.asking.approvers.collecting.escalating';
const expireKey = 'xstate.after.expire.elicitation.open.deadline.running';

/** Opens the question; the clock begins again for each. */
async function open(shape: string): Promise<ElicitationRow> {
  clock = start;
  const { id } = await asking.open({ tool: { name: shape }, arguments: { amount: 0 } });
  return currentElicitation(server.engine, id as ElicitationId);
}

const eventsOf = ({ stages }: ElicitationContext): ElicitationEvent[] => {
  const ids = Object.values(users).map(({ id }) => id);
  const vote = (action: 'accept' | 'decline') => ids.map((by) => ({ type: 'vote' as const, by, action, at: 1 }));
  return [
    ...vote('accept'),
    ...vote('decline'),
    { type: 'withdraw', by: users.a.id, at: 1 },
    { type: 'edit', by: users.b.id, stages, at: 1 },
    { type: 'edit', by: users.c.id, stages, at: 1 },
    { type: 'cancel', cause: 'admin', at: 1 },
  ];
};

const timers = [expireKey, escalateKey].map((type) => ({ type }) as unknown as ElicitationEvent);

/** The shortest way to every state that at most one edit leads to. */
function pathsOf({
  audience,
  mode,
  stages,
  ...times
}: ElicitationContext): { events: ElicitationEvent[]; end: State }[] {
  const { openedAt, deadlineAt, onTimeout, notBefore, reminders } = times;
  const input = {
    audience,
    mode,
    stages,
    openedAt: 0,
    deadlineAt: deadlineAt - openedAt,
    onTimeout,
    notBefore,
    reminders,
  };
  const events = [...eventsOf({ stages } as ElicitationContext), ...timers];
  const paths = getShortestPaths(elicitationMachine, {
    input,
    events,
    stopWhen: ({ context, status }) => context.revision > 2 || status === 'done',
    serializeState: ({ value, context }) => JSON.stringify([value, shapeOf(context)]),
  });
  const ways = paths
    .filter(({ state }) => state.context.revision <= 2)
    .map(({ state, steps }) => ({
      events: steps.map(({ event }) => event as ElicitationEvent).filter(({ type }) => `${type}` !== 'xstate.init'),
      end: { status: statusOf(state.value), ...shapeOf(state.context) },
    }));
  const isReplaced = stages.some(({ escalation }) => escalation?.steps.some((step) => step.stage));
  return isReplaced ? ways.filter(({ events }) => escalatesFirst(events)) : ways;
}

/** The escalation comes before the deadline, and ends the votes that the chart alone would keep until then. */
function escalatesFirst(events: ElicitationEvent[]): boolean {
  const since = events.slice(events.findLastIndex(({ type }) => type === 'edit') + 1);
  const has = (key: string): boolean => since.some(({ type }) => `${type}` === key);
  return !has(expireKey) || has(escalateKey) || !has('vote');
}

type State = ReturnType<typeof shapeOf> & { status: string };

/** What must be the same in the row; times and who was added by an escalation follow from it. */
const shapeOf = ({ stage, revision, votes }: ElicitationContext) => ({
  stage,
  revision,
  votes: votes.map(({ by, action, stage: of }) => `${by} ${action} ${of}`).sort(),
});

/** Does it with the verbs people and clocks have. */
async function take(row: ElicitationRow, event: ElicitationEvent): Promise<ElicitationRow> {
  const { engine } = server;
  const { id, digest } = row;
  const user = 'by' in event ? Object.values(users).find((user) => user.id === event.by) : actorIn(row);
  if (!user) throw new TypeError('no one');
  clock += 1;
  switch (event.type) {
    case 'vote': {
      const { action } = event;
      return castVote(engine, user, id, { action, digest, content: {}, comment: 'because' });
    }
    case 'withdraw':
      return withdrawVote(engine, user, id);
    case 'edit':
      return editElicitation(engine, user, id, { digest, arguments: { amount: row.revision } });
    case 'cancel':
      return withdrawElicitation(engine, user, id, { digest });
    default: {
      const timer = row.state.timers.find(({ key }) => key === event.type);
      clock = timer?.at ?? clock;
      return currentElicitation(engine, id);
    }
  }
}

/** Someone who may end the request: they may vote in the stage it is in. */
const actorIn = ({ state }: ElicitationRow): User | undefined =>
  Object.values(users).find(({ id }) => mayAct(state.context, id));

test.each(Object.keys(shapes))(
  'P5 every path of %s, with expiry, escalation, edit and cancel, ends in the database as in the chart',
  async (shape) => {
    const { state } = await open(shape);
    const paths = pathsOf(state.context);
    expect(paths.length).toBeGreaterThan(15);
    const ends = new Map(paths.map(({ events, end }) => [keyOf(events), end]));
    const visited = new Map<string, string>();
    const ways = longestOf(paths);
    // By day an eighth: the chart itself is tried whole in test/requests/machine.
    const tried = drawn(shape, ways, {
      least: Math.ceil(ways.length / 8),
      values: (events) => events.map(({ type }, at) => (at === events.length - 1 ? `last ${type}` : type)),
    });
    for (const events of tried) {
      let row = await open(shape);
      for (let at = 0; at <= events.length; at += 1) {
        const [way, event] = [events.slice(0, at), events[at]];
        const end = ends.get(keyOf(way));
        if (end && !visited.has(keyOf(way))) {
          await expectState(row, way, end);
          visited.set(keyOf(way), end.status);
        }
        if (event) row = await take(row, event);
      }
    }
    expect(visited.size).toBeGreaterThan(paths.length / 10);
    if (!isNight) return;
    expect(visited.size).toBe(paths.length);
    expect([...new Set(visited.values())].sort()).toEqual(['accepted', 'cancelled', 'declined', 'expired', 'open']);
  },
);

const keyOf = (events: ElicitationEvent[]): string => JSON.stringify(events);

/** The paths that are not the beginning of another: each state is met on the way of one of them. */
function longestOf(paths: { events: ElicitationEvent[] }[]): ElicitationEvent[][] {
  const beginnings = new Set(paths.map(({ events }) => keyOf(events.slice(0, -1))));
  return paths.map(({ events }) => events).filter((events) => !beginnings.has(keyOf(events)));
}

async function expectState(row: ElicitationRow, events: ElicitationEvent[], end: State): Promise<void> {
  const stored = await server.engine.reader.elicitation(row.id);
  expect({ events, status: stored?.status, ...shapeOf(stored?.state.context ?? row.state.context) }).toEqual({
    events,
    ...end,
  });
  expect(stored?.revision).toBe(end.revision);
  await expectRefusals(row, events);
}

/** Anyone who may not vote here now is told why, or nothing if they have no part in it, and changes nothing. */
async function expectRefusals(row: ElicitationRow, events: ElicitationEvent[]): Promise<void> {
  const hasPart = (by: string): boolean => isNamed(row, by) || events.some((event) => isEdit(event) && event.by === by);
  for (const { id: by } of Object.values(users)) {
    const event: ElicitationEvent = { type: 'vote', by, action: 'accept', at: clock + 1 };
    const code = refusal(row.state, event);
    if (code === null) continue;
    const error: unknown = await take(row, event).catch((reason: unknown) => reason);
    expect(error instanceof Problem && error.code).toBe(hasPart(by) ? code : 'not-found');
  }
  const { version } = await currentElicitation(server.engine, row.id);
  expect(version).toBe(row.version);
}

const isEdit = (event: ElicitationEvent) => event.type === 'edit';

const isNamed = ({ state }: ElicitationRow, user: string): boolean =>
  state.context.stages.some(({ groups }) => groups.some(({ approvers }) => approvers.includes(user)));
