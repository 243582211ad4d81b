import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { CastVote, ElicitationDetail } from '#requests/inbox/contract/inbox';
import { isProblemOf } from '../../../client/call-api.ts';
import { castVote, extend, readElicitation, withdraw } from '../../inbox/elicitations.ts';
import { useAnnounce } from '../../../shell/use-hotkeys/announcer.tsx';
import { focusVerb } from '../request-path/focus-verb.ts';
import { mayDecide, type DecisionFacts, type Verb } from '../decision-table/decision-table.ts';
import { mayGrant } from '../words/url-facts/grant-terms.ts';
import { signWithPasskey } from '../../../access/passkeys/passkey.ts';
import { requestQuery } from '../../../shell/queries.ts';
import { sortServerErrors } from '../use-answer/server-faults.ts';
import { resultSentence } from '../request-path/result-sentence.ts';
import { useAnswer } from '../use-answer/use-answer.ts';
import { useLostAnswer } from './use-lost-answer.ts';
import { useOnScreen } from './use-on-screen.ts';
import type { Reading } from '../use-answer/use-reading.ts';
import { voteBody } from './vote-body.ts';
import { whatIsLeft } from '../decision-table/what-is-left.ts';
import { decide as words } from '../words/words.ts';

/** Everything between the form and the server: what was typed, what is wrong with it, what became of it. */
export function useDecision(detail: ElicitationDetail, reading: Reading) {
  const answer = useAnswer(detail);
  const { votesFor, allowFor, ...choices } = useTerms(detail);
  const terms = { for: votesFor?.id, allowFor, shown: reading.token, opened: reading.openedParts };
  const [chosenFold, setFolded] = useState<boolean | null>(null);
  const readOn = useOnScreen(answer.container, reading, detail.digest, () => setFolded(true));
  const announce = useAnnounce();
  const navigate = useNavigate();
  const { result, problem, startOver, clearProblem, tryAgain, lost, send, fail } = useSending(detail, answer, terms);
  const more = useExtension(detail, reading, { onStart: clearProblem, onError: fail });
  const isSending = send.isPending || more.isPending;
  const facts = { ...detail, ...reading, unread: reading.unread.length, isForAbsent: votesFor !== null, isSending };
  const may = mayDecide(facts);
  const left = leftFor(facts, answer);
  const [isFoldedFirst] = useState(() => {
    const shown = { ...facts, isCardUnseen: false }; // as it will be once the sheet is drawn
    return !mayDecide(shown).approve.allowed && leftFor(shown, answer) === null;
  });
  const decide = (verb: Verb) => {
    if (verb === 'approve' && left?.kind === 'passkey') return void navigate('/account#passkeys');
    if (verb === 'approve' && left?.kind === 'read') return readOn();
    if (verb === 'approve' && left?.kind === 'changed') return answer.focusPart('changed');
    const complaint = answer.check(verb);
    if (complaint === null) send.mutate({ verb });
    else announce(complaint);
  };
  return {
    answer,
    result,
    problem,
    /** Whether it is known by now that the decision did not arrive. */
    isMissing: lost.isMissing,
    tryAgain,
    startOver,
    votesFor,
    allowFor,
    ...choices,
    may,
    /** What the button says and leads to before it approves; null if nothing is. */
    left,
    decide,
    /** On a narrow screen the sheet shows only its head. */
    isFolded: chosenFold ?? isFoldedFirst,
    setFolded,
    sending: send.isPending ? send.variables.verb : null,
    extend: (by: number) => more.mutate(by),
  };
}

/** Sends the decision, and keeps what became of it. */
function useSending(detail: ElicitationDetail, answer: ReturnType<typeof useAnswer>, terms: Terms) {
  const [result, setResult] = useState<Verb | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const queries = useQueryClient();
  const announce = useAnnounce();
  const key = requestQuery(detail.id, true).queryKey;

  const settle = async (verb: Verb, now: ElicitationDetail) => {
    // A question asked before the decision must not arrive after it and undo what is shown.
    await queries.cancelQueries({ queryKey: key });
    queries.setQueryData(key, now);
    setResult(verb);
    announce(resultSentence(verb, now));
    void queries.invalidateQueries({ queryKey: ['inbox'] });
  };
  const lost = useLostAnswer(detail, (verb, now) => {
    setProblem(null);
    void settle(verb, now);
  });
  const fail = (error: unknown) => {
    setProblem(error);
    answer.takeServerFaults(sortServerErrors(error));
    void queries.invalidateQueries({ queryKey: key });
  };
  const send = useMutation({
    mutationFn: ({ verb }: { verb: Verb }) => sendStep(verb, detail, answer, terms),
    onMutate: () => {
      setProblem(null);
      lost.begin();
    },
    onSuccess: (now, { verb }) => settle(verb, now),
    onError: (error, { verb }) => {
      fail(error);
      if (isProblemOf(error, 'unavailable')) lost.note(verb);
    },
  });
  const tryAgain = () => {
    setProblem(null);
    if (send.variables) focusVerb(send.variables.verb);
  };
  return {
    result,
    problem,
    startOver: () => setResult(null),
    clearProblem: () => setProblem(null),
    tryAgain,
    lost,
    send,
    fail,
  };
}

/** Whose vote it is, and how long the approval may stand for. */
function useTerms(detail: ElicitationDetail) {
  const [chosen, voteFor] = useState<string | null>(null);
  const [allowed, allow] = useState<number | null>(null);
  // The choice counts only while everyone before allows it too.
  return { votesFor: whoseVote(detail, chosen), voteFor, allowFor: mayGrant(detail) ? allowed : null, allow };
}

/** Nothing is left for those who may not vote now, and for those who only have to wait. */
function leftFor(
  facts: DecisionFacts & Pick<ElicitationDetail, 'signing'>,
  { form, left: answers, isCommentMissing, untyped }: ReturnType<typeof useAnswer>,
) {
  const { approve } = mayDecide({ ...facts, unread: 0, isCardUnseen: false, isChanged: false, secondsLeft: 0 });
  return approve.allowed && !form.isBroken ? whatIsLeft({ ...facts, answers, isCommentMissing, untyped }) : null;
}

interface Course {
  onStart: () => void;
  onError: (error: unknown) => void;
}

/** Moves the deadline, which decides nothing. */
function useExtension(detail: ElicitationDetail, reading: Reading, { onStart, onError }: Course) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: (by: number) => extend(detail.id, { digest: detail.digest, by }),
    onMutate: onStart,
    onSuccess: (now) => {
      queries.setQueryData(requestQuery(detail.id, true).queryKey, now);
      reading.confirm(now); // this person moved the deadline, so it is no change behind their back
      announce(words.extended);
    },
    onError,
  });
}

export type DecisionState = ReturnType<typeof useDecision>;

export const ownVote = 'own';

/** Whose vote it is: null is one's own. People who have none here but stand in for someone vote for that person. */
function whoseVote({ standsInFor, can }: ElicitationDetail, chosen: string | null) {
  const usual = can.vote.allowed ? ownVote : (standsInFor[0]?.id ?? ownVote);
  return standsInFor.find(({ id }) => id === (chosen ?? usual)) ?? null;
}

/** What goes along with a vote. */
interface Terms {
  for: string | undefined;
  allowFor: number | null;
  shown: string | null;
  opened: string[];
}

function sendStep(
  verb: Verb,
  detail: ElicitationDetail,
  answer: ReturnType<typeof useAnswer>,
  { for: absent, ...terms }: Terms,
) {
  const { id, digest } = detail;
  const { comment, content, typed } = answer;
  if (verb !== 'cancel')
    return vote(detail, voteBody(detail, { verb, comment, content, typed, for: absent, ...terms }));
  const reason = comment.trim();
  return withdraw(id, { digest, ...(reason !== '' && { comment: reason }) });
}

/** With the signature of a device, if the policy needs one for an approval. */
async function signed({ id, signing }: ElicitationDetail, body: CastVote): Promise<CastVote> {
  if (signing === null || body.action === 'decline') return body;
  const { action, digest, for: absent, allowFor } = body;
  const { beginSignedVote } = await import('../../../access/passkeys/passkeys.ts');
  const { nonce, request } = await beginSignedVote(id, { action, digest, for: absent, allowFor });
  return { ...body, device: { nonce, assertion: await signWithPasskey(request) } };
}

/** The page after the vote. If it cannot be read now, the vote stands, and its answer says what became of the request. */
async function vote(detail: ElicitationDetail, body: CastVote): Promise<ElicitationDetail> {
  const result = await castVote(detail.id, await signed(detail, body));
  return readElicitation(detail.id).catch(() => ({ ...detail, ...result }));
}
