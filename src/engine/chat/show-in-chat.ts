import { canonicalJson } from '../../crypto/canonical-json.ts';
import { isScheduled } from '../../machine/step.ts';
import { refusalSentences } from '../../model/refusal.ts';
import { sayVerification, type User } from '../../model/user.ts';
import { revealAsText } from '../../model/text/visible-text.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import type { Engine } from '../engine.ts';
import { defaultAnswer } from '../elicitation/facts.ts';
import { against, permission } from '../elicitation/permissions.ts';
import { policyTerms } from '../elicitation/policy-terms.ts';
import { refuseChatVote } from './refuse-chat-vote.ts';
import { requestersOf } from '../elicitation/requesters.ts';
import { openQuestion, type Question } from '../elicitation/sealed-question.ts';
import { progressOf } from '../inbox/show-stages.ts';

/** What a message in chat shows of one request. */
export interface ShownInChat {
  /** Its state, in a sentence. */
  title: string;
  /** The tool and its server, as text for a line. */
  call: string;
  facts: Labelled[];
  /** Milliseconds since 1970; null once it has ended. */
  deadlineAt: number | null;
  /** The whole content; null if it stays in Assentry. */
  content: Labelled[] | null;
  /** The digest that a vote in chat is bound to; null if chat takes no vote. */
  vote: Pick<ElicitationRow, 'id' | 'digest'> | null;
  /** Why chat takes no vote, if people may expect it. */
  note: string | null;
  /** Where the request can always be decided. */
  url: string;
  /** Can its reader still vote? */
  isWaiting: boolean;
}

export interface Labelled {
  label: string;
  text: string;
}

/**
 * Names, risk, policy and state, which are not sealed in the database. The content is included only if the policy
 * allows votes in chat and this request can be voted on there, and never if no one may read it there any more.
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

/** The whole content, as a vote in chat must show it, and the reason if there is no vote; null if there is one. */
export function votingInChat(engine: Pick<Engine, 'ring'>, row: ElicitationRow) {
  const question = openQuestion(engine.ring, row);
  const content = contentOf(row, question);
  const length = content.reduce((sum, { label, text }) => sum + label.length + text.length, 0);
  const refusal = refuseChatVote({ row, terms: policyTerms(engine, row), schema: question.schema, length });
  return { content, schema: question.schema, refusal };
}

async function notYours(engine: Engine, row: ElicitationRow, reader: User | 'channel' | null) {
  if (reader === 'channel') return null;
  if (!reader) return 'Updates to this request are no longer posted here.';
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
    { label: 'Requested by', text: `${requester.subject} (${sayVerification(requester)})` },
    ...(reason === null ? [] : [{ label: 'Agent’s reason (unverified)', text: reason }]),
    ...(Object.keys(answer).length === 0 ? [] : [{ label: 'An approval answers', text: canonicalJson(answer) }]),
  ].map(({ label, text }) => ({ label, text: revealAsText(text) }));
}

function factsIn(row: ElicitationRow): Labelled[] {
  const { stages, stage } = row.state.context;
  const progress = row.status === 'open' ? progressOf(row) : null;
  const name = stages[stage]?.name;
  const seats = progress && `${progress.have} of ${progress.need} votes`;
  const groups = progress ? (stages[stage]?.groups ?? []) : [];
  const meanings = [...new Set(groups.map(({ meaning }) => meaning))].filter((meaning) => meaning !== 'approved');
  const place = progress && stages.length > 1 ? ` (${progress.stage} of ${progress.stages})` : '';
  return [
    { label: 'Server', text: row.serverName },
    { label: 'Tool', text: row.tool },
    { label: 'Risk', text: row.risk },
    { label: 'Policy', text: row.policy },
    ...(name !== undefined && seats ? [{ label: 'Stage', text: `${name}${place}: ${seats}` }] : []),
    ...(meanings.length === 0 ? [] : [{ label: 'A vote counts as', text: meanings.join(', ') }]),
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
