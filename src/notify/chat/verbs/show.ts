import { canonicalJson } from '#platform/crypto/digest';
import { isScheduled } from '#requests/machine/rules/step';
import type { User } from '#people/directory/contract/user';
import { revealAsText } from '#platform/text/visible-text';
import { chatWords, type ChatWords } from '#messages/chat-words';
import type { Language } from '#platform/text/language';
import { sharedWords } from '#messages/shared-words';
import type { ElicitationRow } from '#requests/state/store/row';
import type { Engine } from '#platform/nodes/verbs/engine';
import { defaultAnswer } from '#requests/state/verbs/change';
import { against, permission, policyTerms, type PolicyTerms } from '#requests/state/verbs/permissions';
import { requestersOf } from '#requests/asking/verbs/requester';
import { provenText } from '#requests/facts/contract/proven';
import { openQuestion, type Question } from '#requests/asking/verbs/question';
import { progressOf } from '#requests/inbox/verbs/request';
import type { ResultSchema } from '#platform/form/schema';

/** Content of a message in chat about one request. */
export interface ShownInChat {
  /** The language of its reader; a room gets English. */
  language: Language;
  /** Its state, in a sentence. */
  title: string;
  /** The tool and its server, as text for a line. */
  call: string;
  facts: Labelled[];
  /** Milliseconds since 1970; null once it has ended. */
  deadlineAt: number | null;
  /** The whole content; null if it stays in Assentry. */
  content: Labelled[] | null;
  /** Digest to which a vote in chat is bound; null if chat takes no vote. */
  vote: Pick<ElicitationRow, 'id' | 'digest'> | null;
  /** Reason why chat takes no vote, if people may expect it. */
  note: string | null;
  /** Address at which the request can always be decided. */
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
  { reader, language }: { reader: User | 'channel' | null; language: Language },
): Promise<ShownInChat> {
  const words = chatWords[language];
  const summary = {
    language,
    title: revealAsText(await titleOf(engine, row, words)),
    call: revealAsText(words.call(row.tool, row.serverName)),
    facts: factsIn(row, words),
    deadlineAt: row.status === 'open' ? row.deadlineAt : null,
    url: `${engine.publicUrl()}/requests/${row.id}`,
  };
  const silent = { ...summary, content: null, vote: null, isWaiting: false };
  if (row.status !== 'open') return { ...silent, note: null };
  const { content, refusal } = votingInChat(engine, row, words);
  const waits = sharedWords[language].refusals['waits-for-start'];
  const closed = isScheduled(row.state) ? waits : await notYours(engine, row, reader, language);
  const note = closed ?? (refusal && words.inConsole[refusal]);
  if (note !== null) return { ...silent, note, isWaiting: closed === null };
  return { ...summary, content, vote: { id: row.id, digest: row.digest }, note: null, isWaiting: true };
}

/** The whole content for a vote in chat, and `refusal`: the reason against a vote, or null. */
export function votingInChat(engine: Pick<Engine, 'ring'>, row: ElicitationRow, words: ChatWords) {
  const question = openQuestion(engine.ring, row);
  const content = contentOf(row, question, words);
  const length = content.reduce((sum, { label, text }) => sum + label.length + text.length, 0);
  const refusal = refuseChatVote({ row, terms: policyTerms(engine, row), schema: question.schema, length });
  return { content, schema: question.schema, refusal };
}

async function notYours(engine: Engine, row: ElicitationRow, reader: User | 'channel' | null, language: Language) {
  if (reader === 'channel') return null;
  if (!reader) return chatWords[language].notUpdated;
  const requesters = requestersOf(engine, row, await engine.rules.users());
  const { refusal } = permission(against.vote(reader, row, { requesters }));
  return refusal && sharedWords[language].refusals[refusal];
}

function contentOf(
  { mode }: Pick<ElicitationRow, 'mode'>,
  question: Question,
  { labels, verification, confirms }: ChatWords,
): Labelled[] {
  const { message, arguments: args, requester, reason, schema, tool, proven = [] } = question;
  const answer = defaultAnswer({ mode, schema }) ?? {};
  return [
    { label: labels.message, text: message },
    { label: labels.arguments, text: args },
    ...proven.map((step) => ({ label: confirms(step.kind, step.provider), text: provenText(step) })),
    ...(tool.reaches === undefined ? [] : [{ label: labels.reaches, text: tool.reaches }]),
    { label: labels.requester, text: `${requester.subject} (${verification(requester)})` },
    ...(reason === null ? [] : [{ label: labels.reason, text: reason }]),
    ...(Object.keys(answer).length === 0 ? [] : [{ label: labels.answer, text: canonicalJson(answer) }]),
  ].map(({ label, text }) => ({ label, text: revealAsText(text) }));
}

function factsIn(row: ElicitationRow, words: ChatWords): Labelled[] {
  const { labels } = words;
  const { stages, stage } = row.state.context;
  const progress = row.status === 'open' ? progressOf(row) : null;
  const name = stages[stage]?.name;
  const seats = progress && words.votes(progress.have, progress.need);
  const groups = progress ? (stages[stage]?.groups ?? []) : [];
  const meanings = [...new Set(groups.map(({ meaning }) => meaning))].filter((meaning) => meaning !== 'approved');
  const place = progress && stages.length > 1 ? words.stage(progress.stage, progress.stages) : '';
  return [
    { label: labels.server, text: row.serverName },
    { label: labels.tool, text: row.tool },
    { label: labels.risk, text: words.risks[row.risk] },
    { label: labels.policy, text: row.policy },
    ...(name !== undefined && seats ? [{ label: labels.stage, text: `${name}${place}: ${seats}` }] : []),
    ...(meanings.length === 0
      ? []
      : [{ label: labels.meaning, text: meanings.map((meaning) => words.meanings[meaning]).join(', ') }]),
    ...(row.revision > 1 ? [{ label: labels.revision, text: String(row.revision) }] : []),
  ].map(({ label, text }) => ({ label, text: revealAsText(text) }));
}

async function titleOf(
  engine: Pick<Engine, 'users'>,
  { status, state }: ElicitationRow,
  { titles, former }: ChatWords,
): Promise<string> {
  const { votes, breakGlassBy } = state.context;
  const action = status === 'declined' ? 'decline' : 'accept';
  const voters =
    breakGlassBy === null ? votes.filter((vote) => vote.action === action).map(({ by }) => by) : [breakGlassBy];
  const names = await engine.users.names(voters);
  const by = voters.map((id) => names.get(id) ?? former).join(', ');
  switch (status) {
    case 'open':
      return titles.open;
    case 'accepted':
      return breakGlassBy === null ? titles.accepted(by) : titles.overridden(by);
    case 'declined':
      return by === '' ? titles.undecided : titles.declined(by);
    case 'cancelled':
      return titles.cancelled;
    case 'expired':
      return titles.expired;
  }
}

export interface AskedInChat {
  row: Pick<ElicitationRow, 'risk' | 'mode'>;
  terms: Pick<PolicyTerms, 'chat' | 'confirmation' | 'freshSignIn' | 'justification' | 'presence' | 'readingTime'>;
  schema: ResultSchema | null;
  /** Length in characters of everything to be shown with the vote. */
  length: number;
}

/** Reason for voting in the console, as a key of its sentences. */
type ConsoleReason = keyof ChatWords['inConsole'];

/** Limit in characters: a longer request would not fit into one message. */
export const maxShown = 2_900;

/** Reason why people cannot vote on this in chat; null if they can. */
export function refuseChatVote({ row, terms, schema, length }: AskedInChat): ConsoleReason | null {
  if (terms.chat?.vote !== true) return 'not-allowed';
  if (row.risk === 'high') return 'risk';
  if (terms.freshSignIn !== null) return 'fresh-sign-in';
  if (terms.presence.needed !== 'none') return 'presence';
  if (terms.readingTime) return 'reading-time';
  if (terms.justification.approver.length > 0) return 'reason';
  if (terms.confirmation.length > 0) return 'typed';
  if (row.mode === 'url') return 'address';
  if (defaultAnswer({ mode: row.mode, schema }) === null) return 'form';
  if (length > maxShown) return 'length';
  return null;
}
