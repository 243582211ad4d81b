import { canonicalJson } from '../../crypto/canonical-json.ts';
import { isScheduled } from '../../machine/step.ts';
import { refusalSentences } from '../../model/refusal.ts';
import { sayVerification, type User } from '../../model/user.ts';
import { revealAsText } from '../../model/visible-text.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import type { Engine } from '../engine.ts';
import { defaultAnswer } from '../elicitation/facts.ts';
import { against, permission } from '../elicitation/permissions.ts';
import { policyTerms } from '../elicitation/policy-terms.ts';
import { refuseChatVote } from './refuse-chat-vote.ts';
import { requestersOf } from '../elicitation/requesters.ts';
import { openQuestion, type Question } from '../elicitation/sealed-question.ts';
import { progressOf } from '../inbox/show-stages.ts';

/** What a message in chat says of one request. */
export interface ShownInChat {
  /** Where it stands, in a sentence. */
  title: string;
  /** The tool and its server, as text for a line. */
  call: string;
  facts: Labelled[];
  /** Milliseconds since 1970; null once it has ended. */
  deadlineAt: number | null;
  /** What is asked, whole; null where it stays here. */
  content: Labelled[] | null;
  /** What a vote there says that it saw; null where none is taken. */
  vote: Pick<ElicitationRow, 'id' | 'digest'> | null;
  /** Why no vote is taken, where one might be expected. */
  note: string | null;
  /** Where it is decided in any case. */
  url: string;
  /** Can its reader still vote? */
  isWaiting: boolean;
}

export interface Labelled {
  label: string;
  text: string;
}

/**
 * Names, risk, policy and state, which stand in the database as they are. What is asked comes with them only where the
 * policy lets people vote there and this one can be voted on, and never where no one is to read it any more.
 */
export async function showInChat(
  engine: Engine,
  row: ElicitationRow,
  reader: User | 'channel' | null,
): Promise<ShownInChat> {
  const summary = {
    title: revealAsText(await titleOf(engine, row)),
    call: revealAsText(`${row.tool} on ${row.serverName}`),
    facts: factsIn(row),
    deadlineAt: row.status === 'open' ? row.deadlineAt : null,
    url: `${engine.publicUrl()}/requests/${row.id}`,
  };
  const silent = { ...summary, content: null, vote: null, isWaiting: false };
  if (row.status !== 'open') return { ...silent, note: null };
  const { content, refusal } = votingInChat(engine, row);
  const closed = isScheduled(row.state) ? refusalSentences['waits-for-start'] : await notYours(engine, row, reader);
  if (closed !== null || refusal !== null) return { ...silent, note: closed ?? refusal, isWaiting: closed === null };
  return { ...summary, content, vote: { id: row.id, digest: row.digest }, note: null, isWaiting: true };
}

/** All that is asked, as a vote in chat must show it, and why none is taken; null where it is. */
export function votingInChat(engine: Pick<Engine, 'ring'>, row: ElicitationRow) {
  const question = openQuestion(engine.ring, row);
  const content = contentOf(row, question);
  const length = content.reduce((sum, { label, text }) => sum + label.length + text.length, 0);
  const refusal = refuseChatVote({ row, terms: policyTerms(engine, row), schema: question.schema, length });
  return { content, schema: question.schema, refusal };
}

async function notYours(engine: Engine, row: ElicitationRow, reader: User | 'channel' | null) {
  if (reader === 'channel') return null;
  if (!reader) return 'This request is told here no more.';
  const requesters = requestersOf(engine, row, await engine.rules.users());
  const { refusal } = permission(against.vote(reader, row, { requesters }));
  return refusal && refusalSentences[refusal];
}

function contentOf({ mode }: Pick<ElicitationRow, 'mode'>, question: Question): Labelled[] {
  const { message, arguments: args, requester, reason, schema } = question;
  const answer = defaultAnswer({ mode, schema }) ?? {};
  return [
    { label: 'Message', text: message },
    { label: 'Arguments', text: args },
    { label: 'Asked by', text: `${requester.subject} (${sayVerification(requester)})` },
    ...(reason === null ? [] : [{ label: 'Why (written by the agent, unverified)', text: reason }]),
    ...(Object.keys(answer).length === 0 ? [] : [{ label: 'Approving answers', text: canonicalJson(answer) }]),
  ].map(({ label, text }) => ({ label, text: revealAsText(text) }));
}

function factsIn(row: ElicitationRow): Labelled[] {
  const { stages, stage } = row.state.context;
  const progress = row.status === 'open' ? progressOf(row) : null;
  const name = stages[stage]?.name;
  const seats = progress && `${progress.have} of ${progress.need} votes`;
  const groups = progress ? (stages[stage]?.groups ?? []) : [];
  const meanings = [...new Set(groups.map(({ meaning }) => meaning))].filter((one) => one !== 'approved');
  const place = progress && stages.length > 1 ? ` (${progress.stage} of ${progress.stages})` : '';
  return [
    { label: 'Server', text: row.serverName },
    { label: 'Tool', text: row.tool },
    { label: 'Risk', text: row.risk },
    { label: 'Policy', text: row.policy },
    ...(name !== undefined && seats ? [{ label: 'Stage', text: `${name}${place}: ${seats}` }] : []),
    ...(meanings.length === 0 ? [] : [{ label: 'A vote says', text: meanings.join(', ') }]),
    ...(row.revision > 1 ? [{ label: 'Revision', text: String(row.revision) }] : []),
  ].map(({ label, text }) => ({ label, text: revealAsText(text) }));
}

async function titleOf(engine: Pick<Engine, 'users'>, { status, state }: ElicitationRow): Promise<string> {
  const { votes, breakGlassBy } = state.context;
  const action = status === 'declined' ? 'decline' : 'accept';
  const voters =
    breakGlassBy === null ? votes.filter((vote) => vote.action === action).map(({ by }) => by) : [breakGlassBy];
  const names = await engine.users.names(voters);
  const by = voters.map((id) => names.get(id) ?? 'someone who has left').join(', ');
  switch (status) {
    case 'open':
      return 'Approval needed';
    case 'accepted':
      return breakGlassBy === null ? `Approved by ${by}` : `Approved past its policy by ${by}`;
    case 'declined':
      return by === '' ? 'Declined: no one decided in time' : `Declined by ${by}`;
    case 'cancelled':
      return 'Cancelled';
    case 'expired':
      return 'Expired: no one decided in time';
  }
}
