import type { FinalState } from './final-state.ts';
import type { Event, Happening } from './history.ts';

export interface Verdict {
  rule: string;
  /** How many things it was held against. */
  looked: number;
  /** What breaks it, a sentence each. */
  violations: string[];
}

/** Holds what everyone saw against each other and against the rows: one verdict for each promise. */
export function check(happenings: readonly Happening[], final: FinalState): Verdict[] {
  const history = sortEvents(happenings);
  return rules.map(([rule, judge]) => ({ rule, ...judge(history, final) }));
}

type Seen = { [K in Event['kind']]: (Extract<Event, { kind: K }> & { at: number })[] };
type Judge = (history: Seen, final: FinalState) => Omit<Verdict, 'rule'>;

function sortEvents(happenings: readonly Happening[]): Seen {
  const of = <K extends Event['kind']>(kind: K): Seen[K] =>
    happenings.filter((each) => each.kind === kind) as unknown as Seen[K];
  return {
    began: of('began'),
    opened: of('opened'),
    voted: of('voted'),
    heard: of('heard'),
    claimed: of('claimed'),
    ran: of('ran'),
    completed: of('completed'),
    refused: of('refused'),
    ended: of('ended'),
    fault: of('fault'),
  };
}

/** A sentence for each item that breaks a rule; null for each that does not. */
const judgeEach = <T>(items: readonly T[], fault: (item: T) => string | null | false): Omit<Verdict, 'rule'> => ({
  looked: items.length,
  violations: items.map(fault).filter((text) => typeof text === 'string'),
});

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

const oneRequest: Judge = ({ opened }, { requests }) => {
  const ids = groupBy(opened, ({ name }) => name);
  const named = new Set(opened.map(({ id }) => id));
  const several = judgeEach([...ids], ([name, all]) => {
    const different = new Set(all.map(({ id }) => id));
    return different.size > 1 && `${name} was opened as ${[...different].join(' and ')}.`;
  });
  const stray = judgeEach(requests, ({ id }) => !named.has(id) && `${id} is stored, and no caller was told of it.`);
  return { looked: several.looked, violations: [...several.violations, ...stray.violations] };
};

const oneOutcome: Judge = ({ heard }, { requests }) => {
  const status = new Map(requests.map((row) => [row.id, row.status]));
  return judgeEach(
    heard,
    (each) =>
      status.get(each.id) !== each.status &&
      `${each.by} heard that ${each.id} was ${each.status}; its row is ${status.get(each.id) ?? 'missing'}.`,
  );
};

const onceAtMost: Judge = ({ opened, ran, claimed }, { requests }) => {
  const status = new Map(requests.map((row) => [row.id, row.status]));
  const requestOf = new Map(opened.map(({ toolCall, id }) => [toolCall, id]));
  const holders = new Set(claimed.filter(({ answer }) => answer === 'claimed').map(keyOf));
  return judgeEach([...groupBy(ran, ({ toolCall }) => toolCall)], ([toolCall, runs]) => {
    if (runs.length > 1) return `${toolCall} ran ${runs.length} times: ${runs.map((run) => run.attempt).join(', ')}.`;
    if (status.get(requestOf.get(toolCall) ?? '') !== 'accepted') return `${toolCall} ran, and no one approved it.`;
    return runs.some((run) => !holders.has(keyOf(run))) && `${toolCall} ran without a claim.`;
  });
};

const keyOf = ({ toolCall, attempt }: { toolCall: string; attempt: string }): string => `${toolCall} ${attempt}`;

/** Whatever was answered with success is stored. */
const nothingLost: Judge = ({ opened, voted, claimed, completed }, { requests, votes, calls, claims }) => {
  const rows = new Set(requests.map(({ id }) => id));
  const cast = new Set(votes.map(({ id, user, action }) => `${id} ${user} ${action}`));
  const claimKeys = new Set(claims.map(keyOf));
  const settled = new Set(calls.filter(({ state }) => state === 'settled').map(({ id }) => id));
  const verdicts = [
    judgeEach(opened, ({ id }) => !rows.has(id) && `${id} was opened, and there is no such row.`),
    judgeEach(
      voted.filter(({ status }) => status === 200),
      ({ id, user, action }) => !cast.has(`${id} ${user} ${action}`) && `The vote of ${user} on ${id} is not stored.`,
    ),
    judgeEach(
      claimed.filter(({ answer }) => answer === 'claimed'),
      (each) => !claimKeys.has(keyOf(each)) && `The log has no claim of ${each.toolCall} by ${each.attempt}.`,
    ),
    judgeEach(completed, ({ toolCall }) => !settled.has(toolCall) && `${toolCall} was completed, and is not settled.`),
  ];
  return {
    looked: verdicts.reduce((sum, { looked }) => sum + looked, 0),
    violations: verdicts.flatMap(({ violations }) => violations),
  };
};

const delivered: Judge = ({ opened, heard }) => {
  const ears = new Set(heard.map(({ id, by }) => `${id} ${by}`));
  return judgeEach(opened, ({ id, by }) => !ears.has(`${id} ${by}`) && `${by} never heard the outcome of ${id}.`);
};

const provenLog: Judge = (_seen, { claims, fault, requests }) => {
  const several = judgeEach(
    [...groupBy(claims, ({ toolCall }) => toolCall)],
    ([toolCall, all]) => all.length > 1 && `The log has ${all.length} claims of ${toolCall}.`,
  );
  return {
    looked: requests.length,
    violations: [...(fault === null ? [] : [fault]), ...several.violations],
  };
};

const nothingPending: Judge = ({ began, ended }, { requests, calls, waiting }) => {
  const over = new Set(ended.map(({ name }) => name));
  const verdicts = [
    judgeEach(began, ({ name }) => !over.has(name) && `${name} never ended.`),
    judgeEach(requests, ({ id, status }) => status === 'open' && `${id} is open after all has ended.`),
    judgeEach(calls, ({ id, state }) => state === 'claimed' && `${id} was claimed, and how it ended is not stored.`),
  ];
  const violations = verdicts.flatMap((each) => each.violations);
  if (waiting > 0) violations.push(`${waiting} entries never got a place in the log.`);
  return { looked: began.length, violations };
};

const inTime: Judge = ({ opened, heard }) => {
  const deadlines = new Map(opened.map(({ id, deadlineAt }) => [id, deadlineAt]));
  return judgeEach(
    heard.filter(({ status }) => status === 'expired'),
    ({ id, at }) => at < (deadlines.get(id) ?? 0) && `${id} expired before its deadline.`,
  );
};

const answered: Judge = ({ began, refused }) => ({
  looked: began.length,
  violations: refused.map(({ name, verb, code }) => `${name}: ${verb} was answered ${code}.`),
});

const rules: [string, Judge][] = [
  ['one request for each name', oneRequest],
  ['one outcome for each request', oneOutcome],
  ['at most one execution, and only if approved', onceAtMost],
  ['what was acknowledged is stored', nothingLost],
  ['every outcome reached its callers', delivered],
  ['nothing expires early', inTime],
  ['the log is whole and equals the rows', provenLog],
  ['nothing is pending', nothingPending],
  ['every fault is answered as a fault', answered],
];
