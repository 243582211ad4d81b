import type { StoredEvent } from '#audit/entries/rules/entry';
import type { UserId } from '#platform/model/id';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import type {
  StoredBreakGlass,
  StoredLookBack,
  StoredRemark,
  StoredRevision,
} from '../../../deliberation/store/proceedings.ts';
import type { StoredVote } from '../../../asking/store/reader/reader.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { cells, openQuestion, openReplaced } from '../../../asking/verbs/question/sealed-question.ts';

type Ring = Engine['ring'];
type Names = ReadonlyMap<string, string>;

const nameOf = (names: Names, id: string): string => names.get(id) ?? 'Someone who has left';

/** Every vote with its meaning; withdrawn and void votes are marked. */
export function showVotes(ring: Ring, row: ElicitationRow, votes: StoredVote[], history: StoredEvent[], names: Names) {
  const { context } = row.state;
  const entries = new Map(
    history.flatMap((event) => (event.type === 'elicitation.voted' ? [[event.vote, event] as const] : [])),
  );
  return votes.map(({ id, name, userId, forName, revision, stage, action, comment, at }) => {
    const standing = context.votes.find((vote) => vote.by === userId && vote.stage === stage && vote.at === at);
    const stands = revision === row.revision && standing !== undefined;
    return {
      id,
      by: name,
      person: userId,
      for: forName,
      revision,
      stage,
      action,
      meanings: entries.get(id)?.meanings ?? [],
      factor: entries.get(id)?.factor ?? null,
      issuer: issuerOf(entries.get(id), names),
      at,
      stands,
      allowFor: (stands && standing.allowFor) || null,
      comment: comment && cells.comment.open(ring, row, id, comment),
    };
  });
}

const issuerOf = (entry: { issuer?: string } | undefined, names: Names): string | null =>
  entry?.issuer === undefined ? null : nameOf(names, entry.issuer);

/** What each edit changed: top-level arguments, before and after. */
export function showRevisions(ring: Ring, row: ElicitationRow, revisions: StoredRevision[], names: Names) {
  const questions = [...revisions.map((revision) => openReplaced(ring, row, revision)), openQuestion(ring, row)];
  const values = questions.map(({ arguments: text }) => JSON.parse(text) as Record<string, unknown>);
  return revisions.map(({ revision, userId, at }, index) => ({
    revision: revision + 1,
    by: nameOf(names, userId),
    at,
    changes: differences(values[index] ?? {}, values[index + 1] ?? {}),
  }));
}

function differences(before: Record<string, unknown>, after: Record<string, unknown>) {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) => ({ name, before: before[name] ?? null, after: after[name] ?? null }));
}

export const showRemarks = (ring: Ring, row: ElicitationRow, remarks: StoredRemark[], names: Names) =>
  remarks.map((stored) => {
    const { text, schema = null, answer } = cells.remark.open(ring, row, stored.id, stored.body);
    const { id, kind, userId, replyTo, at } = stored;
    return {
      id,
      kind,
      by: userId && nameOf(names, userId),
      person: userId,
      text,
      schema,
      answer: answer ? { ...answer, content: answer.content ?? null } : null,
      replyTo,
      at,
    };
  });

export function showBreakGlass(ring: Ring, row: ElicitationRow, breakGlass: StoredBreakGlass, names: Names) {
  const { userId, reason, at, reviewDueAt, review } = breakGlass;
  const named = (id: UserId) => ({ id, name: nameOf(names, id) });
  return {
    by: named(userId),
    reason: cells.overrideReason.open(ring, row, row.id, reason),
    at,
    reviewDueAt,
    review: review && {
      by: named(review.reviewerId),
      at: review.at,
      ...cells.overrideFinding.open(ring, row, row.id, review.finding),
    },
  };
}

export function showLookBack(ring: Ring, row: ElicitationRow, { at, review }: StoredLookBack, names: Names) {
  return {
    at,
    review: review && {
      by: { id: review.reviewerId, name: nameOf(names, review.reviewerId) },
      at: review.at,
      ...cells.lookBack.open(ring, row, row.id, review.finding),
    },
  };
}
