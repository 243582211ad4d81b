import { canonicalJson, sha256Hex } from '#platform/crypto/digest';
import type { ElicitationId } from '#platform/model/id';
import { showFacts } from '../../facts/contract/shown.ts';
import {
  signalLimits,
  signalOfBurst,
  signalOfHour,
  signalsOfCall,
  type PastCall,
  type Present,
  type Signal,
  type Source,
} from '../../facts/contract/signals.ts';
import type { User } from '#people/directory/contract/user';
import type { ElicitationRow } from '../../state/store/row.ts';
import { policyTerms } from '../../state/verbs/permissions.ts';
import { readable } from '../../state/verbs/change.ts';
import { openQuestion, type Question, sealLookReason } from '../../asking/verbs/question.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { visibleOf, assertVisible } from './visibility.ts';
import { auditEntry } from '#audit/entries/rules/entry';
import { requestFacts } from '#audit/entries/rules/events';
import { newId } from '#platform/crypto/random';
import { Problem } from '#platform/model/problem';

/** Longer arguments are compared on the request's page alone, if at all. Characters. */
const maxArgumentsLength = 262_144;

/** Signals of an open request, from approved ones like it and from others that this person may read. */
export async function readSignals(
  engine: Engine,
  user: User,
  row: ElicitationRow,
  approved: readonly ElicitationRow[],
): Promise<Signal[]> {
  const present = presentOf(engine, row);
  if (row.status !== 'open' || present === null) return [];
  const [others, ended] = await Promise.all([readOthers(engine, user, row), readEnded(engine, user, row)]);
  return [
    ...signalsOfCall(present, callsOf(engine, approved)),
    ...signalOfBurst(others),
    ...signalOfHour(row.openedAt, ended),
  ];
}

/** The first thing that sets each of these rows apart, for lists: from approved calls alone, which rows of a tool share. */
export async function firstSignals(engine: Engine, user: User, ids: readonly ElicitationId[]) {
  const rows = (await Promise.all(ids.map((id) => engine.reader.elicitation(id)))).filter((row) => row !== null);
  const visible = await visibleOf(engine, user, rows, 'content');
  const calls = new Map<string, Promise<PastCall[]>>();
  const approvedLike = (row: ElicitationRow): Promise<PastCall[]> => {
    const key = JSON.stringify([row.serverId, row.tool]);
    const shared = calls.get(key) ?? readApproved(engine, user, row).then((rows) => callsOf(engine, rows));
    calls.set(key, shared);
    return shared;
  };
  const open = rows.filter((row) => row.status === 'open' && visible.has(row.id));
  return Promise.all(
    open.map(async (row) => {
      const present = presentOf(engine, row);
      const [signal = null] = present === null ? [] : signalsOfCall(present, await approvedLike(row));
      return { id: row.id, signal };
    }),
  );
}

/** The latest approved requests of this tool and server that this person may read, the newest first. */
export const readApproved = async (engine: Engine, user: User, row: ElicitationRow): Promise<ElicitationRow[]> =>
  readableBy(engine, user, await engine.pastRequests.approvedLike(row, signalLimits.approved.most));

const callsOf = (engine: Engine, rows: readonly ElicitationRow[]): PastCall[] =>
  rows.flatMap((past) => {
    const call = callOf(engine, past);
    return call === null ? [] : [{ id: past.id, at: past.closedAt ?? past.openedAt, ...call }];
  });

async function readOthers(engine: Engine, user: User, row: ElicitationRow): Promise<Source[]> {
  if (row.requesterHash === null) return [];
  const { within, most } = signalLimits.burst;
  const from = row.openedAt - within;
  const rows = await engine.pastRequests.openedBetween(row.requesterHash, from, row.openedAt, most + 1);
  return (await readableBy(engine, user, rows)).filter(({ id }) => id !== row.id).map(sourceOf);
}

async function readEnded(engine: Engine, user: User, row: ElicitationRow): Promise<Source[]> {
  const { most, fewest } = signalLimits.ended;
  const ofRequester = row.requesterHash ? await engine.pastRequests.endedOfRequester(row.requesterHash, most) : [];
  const own = await readableBy(engine, user, ofRequester);
  if (own.length >= fewest) return own.map(sourceOf);
  return (await readableBy(engine, user, await engine.pastRequests.endedOfTool(row, most))).map(sourceOf);
}

const sourceOf = ({ id, openedAt }: ElicitationRow): Source => ({ id, at: openedAt });

async function readableBy(engine: Engine, user: User, rows: ElicitationRow[]): Promise<ElicitationRow[]> {
  const visible = await visibleOf(engine, user, rows, 'content');
  return rows.filter(({ id }) => visible.has(id));
}

/** Null if it can no longer be read, or is too long to be compared. */
function callOf({ ring }: Engine, row: ElicitationRow): Omit<PastCall, keyof Source> | null {
  const question = readable(() => openQuestion(ring, row));
  if (question === null || question.arguments.length > maxArgumentsLength) return null;
  const { verified } = question.requester;
  return {
    arguments: JSON.parse(question.arguments) as unknown,
    definition: definitionOf(question),
    reaches: question.tool.reaches ?? null,
    isChecked: verified,
  };
}

function presentOf(engine: Engine, row: ElicitationRow): Present | null {
  const call = callOf(engine, row);
  if (call === null) return null;
  const facts = showFacts(
    call.arguments as Record<string, unknown>,
    policyTerms(engine, row).facts,
    openQuestion(engine.ring, row).facts,
  );
  return { at: row.openedAt, facts, ...call };
}

/** Its title, its description, its hints and its schema. */
const definitionOf = ({ tool: { title, description, annotations, schemaDigest } }: Question): string =>
  canonicalJson({ title, description, annotations, schemaDigest });

/** Lets an administrator or reviewer read a request for an hour: the log says so, and keeps a digest of the reason. */
export async function lookAt(
  engine: Engine,
  user: User,
  id: ElicitationId,
  { reason }: { reason: string },
): Promise<void> {
  const row = await engine.reader.elicitation(id);
  if (!row) throw new Problem('not-found');
  await assertVisible(engine, user, row, 'notice');
  const at = engine.now();
  const sealed = sealLookReason(engine.ring, row, user.id, reason);
  const event = { type: 'access.looked', ...requestFacts(row), elicitation: id, said: sha256Hex(sealed) } as const;
  const entry = auditEntry(newId('entry'), at, { kind: 'user', id: user.id }, event);
  await engine.visibility.addLook({ elicitationId: id, userId: user.id, reason: sealed, at }, entry);
}
