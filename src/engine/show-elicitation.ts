import { readEntry, type StoredEvent } from '../audit/entry.ts';
import { currentStage, votesInStage } from '../machine/ballots.ts';
import type { ElicitationId } from '../model/id.ts';
import type { Person } from '../model/person.ts';
import { tally, type GroupTally } from '../model/quorum.ts';
import type { ElicitationRow } from '../store/elicitation-row.ts';
import type { Engine } from './engine.ts';
import { explainPolicy } from './explain-policy.ts';
import { mayEndNow, mayVoteNow } from './permissions.ts';
import { openComment, openDecision, openQuestion } from './sealed-question.ts';
import { currentElicitation } from './take-due-timers.ts';
import { tellEvent } from './timeline.ts';

interface ShownVote {
  id: string;
  by: string;
  action: 'accept' | 'decline';
  comment: string | null;
  at: number;
}

/** One request as a person of the console sees it: the stored bytes, whole. */
export async function showElicitation(engine: Engine, person: Person, id: ElicitationId) {
  const row = await currentElicitation(engine, id);
  const [votes, history] = await Promise.all([shownVotes(engine, row), engine.reader.history(id)]);
  const { risk, revision, digest, caller, openedAt, deadlineAt, closedAt, status, cause, audience, mode } = row;
  const { requester, tool, ...question } = openQuestion(engine.ring, row);
  return {
    id,
    status,
    cause,
    audience,
    mode,
    risk,
    revision,
    digest,
    server: row.serverName,
    tool: {
      name: row.tool,
      title: tool.title,
      description: tool.description,
      annotations: tool.annotations,
    },
    requester: {
      ...requester,
      client: requester.client ?? null,
    },
    arguments: question.arguments,
    message: question.message,
    reason: question.reason,
    schema: question.schema,
    url: question.url,
    caller,
    openedAt,
    deadlineAt,
    closedAt,
    policy: await explainPolicy(engine, row),
    progress: progressOf(row),
    votes: votes.map(({ id: _id, ...vote }) => vote),
    answer: openDecision(engine.ring, row)?.content ?? null,
    timeline: await timelineOf(engine, row, history.map(readEntry), votes),
    can: {
      vote: mayVoteNow(person, row),
      cancel: mayEndNow(person, row),
      extend: mayEndNow(person, row),
    },
  };
}

async function shownVotes({ reader, ring }: Engine, row: ElicitationRow): Promise<ShownVote[]> {
  const votes = await reader.votes(row.id);
  return votes.map(({ id, name, action, comment, at }) => {
    return { id, by: name, action, at, comment: comment && openComment(ring, row, id, comment) };
  });
}

/** Of the stage that runs or ran last; where any one group is enough, of the group that is nearest. */
function progressOf({ audience, state }: ElicitationRow) {
  const { stages, stage } = state.context;
  const current = currentStage(state.context);
  if (audience !== 'approvers' || !current) return null;
  const tallies = tally(current, votesInStage(state.context));
  const nearest = tallies.reduce((one, other) => (missing(other) < missing(one) ? other : one));
  const counted = current.complete === 'any' ? [nearest] : tallies;
  const sum = (of: 'have' | 'need'): number => counted.reduce((total, one) => total + one[of], 0);
  return { stage: stage + 1, stages: stages.length, have: sum('have'), need: sum('need') };
}

const missing = ({ have, need }: GroupTally): number => need - have;

async function timelineOf(engine: Engine, row: ElicitationRow, history: StoredEvent[], votes: ShownVote[]) {
  const comment = openDecision(engine.ring, row)?.comment ?? null;
  const names = await actorNames(engine, row, history);
  return history.map((event) => {
    const said = 'vote' in event ? votes.find(({ id }) => id === event.vote)?.comment : undefined;
    const closing = event.type === 'elicitation.cancelled' ? comment : null;
    return { at: Date.parse(event.at), type: event.type, text: tellEvent(event, names), comment: said ?? closing };
  });
}

async function actorNames(
  { people }: Engine,
  row: ElicitationRow,
  history: StoredEvent[],
): Promise<Map<string, string>> {
  const ids = new Set(history.flatMap(({ actor }) => (actor.kind === 'person' ? [actor.id] : [])));
  const persons = await Promise.all([...ids].map((id) => people.byId(id)));
  const known = persons.flatMap((person) => (person ? [[person.id, person.name] as const] : []));
  return new Map<string, string>([[row.serverId, row.serverName], ...known]);
}
