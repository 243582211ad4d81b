import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, useEffect, useRef, useEffectEvent, useLayoutEffect, type RefObject } from 'react';
import { useNavigate } from 'react-router';
import type { CastVote, ElicitationDetail } from '#requests/inbox/contract/inbox';
import { isProblemOf } from '../../client/call-api.ts';
import { elicitationRoutes } from '#requests/asking/contract/routes';
import { call } from '../../client/call.ts';
import { useAnnounce } from '../../shell/announcer.tsx';
import { focusVerb, resultSentence } from './PolicySection.tsx';
import { mayDecide, type DecisionFacts, type Verb, whatIsLeft } from './decision-table.ts';
import { mayGrant } from './grant-terms.ts';
import { signWithPasskey } from '../../access/passkeys/passkey.ts';
import { requestQuery } from '../../shell/queries.ts';
import { sortServerErrors, useAnswer, type Reading, cardPart } from './use-answer.ts';
import { decide as words } from './words/words.ts';
import { useUser } from '../../people/users/use-user.ts';
import type { FormContent } from '#platform/form/answer';

/** State between the form and the server: input, faults and results. */
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
    /** Is it certain that the decision did not arrive? */
    isMissing: lost.isMissing,
    tryAgain,
    startOver,
    votesFor,
    allowFor,
    ...choices,
    may,
    /** Missing step that the button names and leads to before approval; null if none. */
    left,
    decide,
    /** Does the sheet on a narrow screen show only its head? */
    isFolded: chosenFold ?? isFoldedFirst,
    setFolded,
    sending: send.isPending ? send.variables.verb : null,
    extend: (by: number) => more.mutate(by),
  };
}

/** Sends the decision, and keeps its result. */
function useSending(detail: ElicitationDetail, answer: ReturnType<typeof useAnswer>, terms: Terms) {
  const [result, setResult] = useState<Verb | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const queries = useQueryClient();
  const announce = useAnnounce();
  const key = requestQuery(detail.id, true).queryKey;

  const settle = async (verb: Verb, now: ElicitationDetail) => {
    // An answer requested before the decision must not arrive after it and undo the shown state.
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

/** Person of the vote, and duration of the approval. */
function useTerms(detail: ElicitationDetail) {
  const [chosen, voteFor] = useState<string | null>(null);
  const [allowed, allow] = useState<number | null>(null);
  // The choice counts only while all earlier votes allow it too.
  return { votesFor: whoseVote(detail, chosen), voteFor, allowFor: mayGrant(detail) ? allowed : null, allow };
}

/** Missing step; none for people who may not vote now, or only have to wait. */
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
    mutationFn: (by: number) =>
      call(elicitationRoutes.extendElicitation, { params: { id: detail.id }, body: { digest: detail.digest, by } }),
    onMutate: onStart,
    onSuccess: (now) => {
      queries.setQueryData(requestQuery(detail.id, true).queryKey, now);
      reading.confirm(now); // this person moved the deadline, so the change needs no second reading
      announce(words.extended);
    },
    onError,
  });
}

export type DecisionState = ReturnType<typeof useDecision>;

export const ownVote = 'own';

/** Person of the vote: null is oneself. People without a vote of their own who stand in for someone vote for that person. */
function whoseVote({ standsInFor, can }: ElicitationDetail, chosen: string | null) {
  const usual = can.vote.allowed ? ownVote : (standsInFor[0]?.id ?? ownVote);
  return standsInFor.find(({ id }) => id === (chosen ?? usual)) ?? null;
}

/** Options of a vote. */
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
  return call(elicitationRoutes.withdrawElicitation, {
    params: { id },
    body: { digest, ...(reason !== '' && { comment: reason }) },
  });
}

/** The vote with a device's signature, if the policy needs one for an approval. */
async function signed({ id, signing }: ElicitationDetail, body: CastVote): Promise<CastVote> {
  if (signing === null || body.action === 'decline') return body;
  const { action, digest, for: absent, allowFor } = body;
  const { nonce, request } = await call(elicitationRoutes.beginSignedVote, {
    params: { id },
    body: { action, digest, for: absent, allowFor },
  });
  return { ...body, device: { nonce, assertion: await signWithPasskey(request) } };
}

/** Votes, and returns the request after it. If it cannot be read now, the vote stands, and its answer tells the new state. */
async function vote(detail: ElicitationDetail, body: CastVote): Promise<ElicitationDetail> {
  const params = { id: detail.id };
  const result = await call(elicitationRoutes.castVote, { params, body: await signed(detail, body) });
  return call(elicitationRoutes.showElicitation, { params }).catch(() => ({ ...detail, ...result }));
}

interface Lost {
  verb: Verb;
  /** Number of this person's earlier votes. */
  votes: number;
  /** Set if the server has answered since, without this vote. */
  isMissing: boolean;
}

/** Handles a decision whose answer was lost: asks until its arrival is certain, and reports it, however late. */
function useLostAnswer(detail: ElicitationDetail, onArrived: (verb: Verb, now: ElicitationDetail) => void) {
  const [lost, setLost] = useState<Lost | null>(null);
  const before = useRef(0);
  const queries = useQueryClient();
  const userId = useUser()?.id;
  const votes = detail.votes.filter(({ person }) => person === userId).length;
  const hasArrived = lost !== null && (lost.verb === 'cancel' ? detail.status === 'cancelled' : votes > lost.votes);
  const isAsking = lost !== null && !lost.isMissing && !hasArrived;
  useEffect(() => {
    if (!isAsking) return;
    const asking = setInterval(async () => {
      const query = { ...requestQuery(detail.id, true), staleTime: 0, retry: false };
      const isAnswered = await queries.fetchQuery(query).then(
        () => true,
        () => false,
      );
      if (isAnswered) setLost((before) => before && { ...before, isMissing: true });
    }, askEvery);
    return () => clearInterval(asking);
  }, [isAsking, detail.id, queries]);
  useEffect(() => {
    if (!hasArrived) return;
    setLost(null);
    onArrived(lost.verb, detail);
  });
  return {
    /** Is it certain that it has not arrived? */
    isMissing: lost?.isMissing === true,
    /** Remembers the votes before each decision, because its vote may be shown before its answer is lost. */
    begin: () => {
      before.current = votes;
      setLost(null);
    },
    note: (verb: Verb) => setLost({ verb, votes: before.current, isMissing: false }),
  };
}

/** Interval in milliseconds. */
const askEvery = 1_500;

/**
 * Notes each part of the request whose every line was on the screen; skipped lines do not count. Returns a function that leads
 * to the first unseen line, less than a screen at a time. If the sheet covers nearly all of a small screen, `onCovered` is
 * called first, because nothing could be read above it.
 */
function useOnScreen(
  article: RefObject<HTMLElement | null>,
  reading: Reading,
  digest: string,
  onCovered: () => void,
): () => void {
  const [isWanted, setIsWanted] = useState(false);
  const unread = reading.isCardUnseen ? [{ id: cardPart }, ...reading.unread] : reading.unread;
  const lines = useRef({ digest, shown: new WeakMap<Element, Seen>() });
  const look = useEffectEvent(() => {
    if (document.visibilityState !== 'visible') return;
    if (lines.current.digest !== digest) lines.current = { digest, shown: new WeakMap() };
    const [page, card] = [areaOfScreen(), areaOfScreen(cardPart)];
    const ids = unread
      .map(({ id }) => id)
      .filter((id) => isSeen(lines.current.shown, unitsOf(article, id), id === cardPart ? card : page))
      .filter((id) => find(article, 'end', id));
    if (ids.length > 0) reading.noteSeen(ids);
  });
  const isUnread = unread.length > 0;
  const goal = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (isWanted && goal.current !== null) leadTo(article, goal.current, lines.current.shown);
    if (isWanted) setIsWanted(false);
    if (isUnread) look();
  });
  useEffect(() => {
    if (!isUnread) return;
    const listener = () => look();
    // Any scroller, and a page that was in the background.
    document.addEventListener('scroll', listener, { capture: true, passive: true });
    document.addEventListener('visibilitychange', listener);
    addEventListener('resize', listener);
    visualViewport?.addEventListener('scroll', listener);
    visualViewport?.addEventListener('resize', listener);
    return () => {
      document.removeEventListener('scroll', listener, { capture: true });
      document.removeEventListener('visibilitychange', listener);
      removeEventListener('resize', listener);
      visualViewport?.removeEventListener('scroll', listener);
      visualViewport?.removeEventListener('resize', listener);
    };
  }, [isUnread]);
  return () => {
    const [next] = unread;
    if (next === undefined) return;
    if ('opens' in next && next.opens !== undefined && !reading.opened.has(next.opens)) reading.openValue(next.opens);
    goal.current = next.id;
    const { top, bottom } = areaOfScreen(next.id);
    if (bottom - top < innerHeight * leastFree) onCovered();
    setIsWanted(true);
  };
}

/** Seen parts of an element, valid while it keeps its size. */
interface Seen {
  width: number;
  height: number;
  spans: Span[];
}

const find = (article: RefObject<HTMLElement | null>, edge: 'start' | 'end', id: string): HTMLElement | undefined =>
  [...(article.current?.querySelectorAll<HTMLElement>(`[data-part-${edge}]`) ?? [])].find(
    (element) => element.getAttribute(`data-part-${edge}`) === id,
  );

/** The lines of a part, without those of parts inside it; a part without lines is one itself. */
function unitsOf(article: RefObject<HTMLElement | null>, id: string): HTMLElement[] {
  const start = find(article, 'start', id);
  if (start === undefined) return [];
  const units = [...start.querySelectorAll<HTMLElement>('[data-unit]')];
  return units.length === 0 ? [start] : units.filter((unit) => unit.closest('[data-part-start]') === start);
}

interface Area {
  top: number;
  bottom: number;
}

/** The card, if it is a sheet, which covers the page. */
function findSheet(): Element | null {
  const card = document.querySelector('[data-decision-card]');
  return card !== null && getComputedStyle(card).position === 'fixed' ? card : null;
}

/** The readable area of the screen: without the header, the sheet, a keyboard, and parts outside of a zoom. */
function areaOfScreen(part?: string): Area {
  const sheet = findSheet()?.getBoundingClientRect();
  const header = document.querySelector('[data-page-header]')?.getBoundingClientRect().bottom ?? 0;
  const text = part === cardPart ? findCardText()?.getBoundingClientRect() : undefined;
  const page = { top: header, bottom: sheet?.top ?? Number.POSITIVE_INFINITY };
  const { top, bottom } = text === undefined ? page : sheet ? text : overlap(page, text);
  const { offsetTop, height } = visualViewport ?? { offsetTop: 0, height: innerHeight };
  return overlap({ top: offsetTop, bottom: offsetTop + height }, { top, bottom });
}

const overlap = (first: Area, second: Area): Area => ({
  top: Math.max(first.top, second.top),
  bottom: Math.min(first.bottom, second.bottom),
});

/** The text of the card, which scrolls by itself if the card is higher than the screen. */
const findCardText = (): Element | null => document.querySelector('[data-card-text]');

/** Notes the parts of these in the area, and returns whether all were seen completely by now. */
function isSeen(shownLines: WeakMap<Element, Seen>, units: HTMLElement[], area: Area): boolean {
  let isAll = true;
  for (const unit of units) {
    const before = shownLines.get(unit);
    if (before && isCovered(before.spans, before.height)) continue;
    const { top, width, height } = unit.getBoundingClientRect();
    const isSame = before?.width === width && before.height === height;
    const shown = wholeLines({ from: area.top - top, to: area.bottom - top }, height);
    const spans = cover(isSame ? before.spans : [], shown, height);
    shownLines.set(unit, { width, height, spans });
    isAll &&= width > 0 && isCovered(spans, height);
  }
  return isAll;
}

/** Share of the screen that must be free for reading. */
const leastFree = 0.2;

/** Pixels above the line that is scrolled to. */
const margin = 32;

function leadTo(article: RefObject<HTMLElement | null>, id: string, shownLines: WeakMap<Element, Seen>): void {
  const start = find(article, 'start', id);
  const unseen = unitsOf(article, id).find((unit) => {
    const { spans, height } = shownLines.get(unit) ?? { spans: [], height: 1 };
    return !isCovered(spans, height);
  });
  const goal = unseen ?? find(article, 'end', id) ?? start;
  if (start === undefined || goal === undefined) return;
  const gap = firstGap(shownLines.get(goal)?.spans ?? []);
  const text = id === cardPart ? findCardText() : null;
  const isInText = text !== null && text.scrollHeight > text.clientHeight;
  if (isInText) text.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  const top = goal.getBoundingClientRect().top + gap - areaOfScreen(id).top - margin;
  (isInText ? text : window).scrollBy({ top, behavior: 'instant' });
  start.focus({ preventScroll: true });
}

interface Decision {
  verb: Exclude<Verb, 'cancel'>;
  comment: string;
  content: FormContent;
  /** Absent person of the vote, if not oneself. */
  for: string | undefined;
  /** Milliseconds that the approval may stand for; null is this once. */
  allowFor: number | null;
  /** Proof of the time it was shown, if the server asks for one. */
  shown: string | null;
  /** Pointers to the long values that were opened and seen to their end. */
  opened: string[];
  /** Texts that the policy has approvers type. */
  typed: string[];
}

/** The vote in the server's form: on the version seen, with the answers only if it approves. */
export function voteBody(
  { digest, mode }: Pick<ElicitationDetail, 'digest' | 'mode'>,
  { verb, comment, content, for: absent, allowFor, shown, opened, typed }: Decision,
): CastVote {
  const reason = comment.trim();
  const body = { digest, ...(reason !== '' && { comment: reason }), ...(absent !== undefined && { for: absent }) };
  if (verb === 'decline') return { ...body, action: 'decline' };
  return {
    ...body,
    action: 'accept',
    ...(mode === 'form' && { content }),
    ...(allowFor !== null && { allowFor }),
    ...(shown !== null && { shown }),
    ...(opened.length > 0 && { opened }),
    ...(typed.length > 0 && { typed }),
  };
}

/** A part of an element from its upper edge, in pixels. */
export interface Span {
  from: number;
  to: number;
}

/** Tolerance in pixels, because edges lie between them. */
const tolerance = 1;

/** Height in pixels of the highest line, with the name of a hidden character. */
const lineHeight = 30;

/** The whole lines of a seen span: cut lines do not count, and two views must overlap by one. */
const wholeLines = ({ from, to }: Span, height: number): Span => ({
  from: from > tolerance ? from + lineHeight / 2 : from,
  to: to < height - tolerance ? to - lineHeight / 2 : to,
});

/** The spans with another one, merged and in order, within the height of the element. */
export function cover(spans: readonly Span[], { from, to }: Span, height: number): Span[] {
  const added = { from: Math.max(0, from), to: Math.min(height, to) };
  if (added.to <= added.from && height > 0) return [...spans];
  const merged: Span[] = [];
  for (const span of [...spans, added].sort((first, other) => first.from - other.from)) {
    const last = merged.at(-1);
    if (last && span.from <= last.to + tolerance) last.to = Math.max(last.to, span.to);
    else merged.push({ ...span });
  }
  return merged;
}

/** Start of the first part in no span. */
const firstGap = ([first]: readonly Span[]): number => (first && first.from <= tolerance ? first.to : 0);

export const isCovered = (spans: readonly Span[], height: number): boolean =>
  spans.length > 0 && firstGap(spans) >= height - tolerance;
