import type { Expects } from '#connect/providers/expects';
import type { UseConnection } from '#connect/connections/contract';
import type { Problem } from '#platform/model/problem';
import { z } from 'zod';
import type { BegunMemo } from '../../client/client.ts';
import { askUnderSignals } from '../elicit/elicit.ts';
import { namesOf, placeOf } from '../elicit/once.ts';
import type { ElicitOptions } from '../question/question.ts';
import type { Run } from '../run/run.ts';

/** The first question of a call for it, and the one after it was refused. */
type Step = 'first' | 'again';

interface OwnedParts<T> {
  /** Names the question within the call. */
  key: string;
  /** What the person reads. */
  message: string;
  options: Pick<ElicitOptions, 'ttl' | 'signal' | 'throwUrlRequired'>;
  expects: Expects;
  /** Looks for it at Assentry; null if there is none that fits, or if it no longer works. */
  find: () => Promise<T | null>;
  /** The problem if the person does not give it. */
  declined: (comment?: string) => Problem;
}

/** The person of a run, as Assentry is told who it is. */
export const personOf = ({ call: { requester, accessToken } }: Run): UseConnection => ({
  requester,
  ...(accessToken !== undefined && { accessToken }),
});

/**
 * What Assentry keeps of the requester's for this server, as one run of a call finds it or asks for it: a connection or a secret.
 *
 * A call that has asked for it asks the same again in each later run, and so joins its answer, although it is there by
 * then: the runs of a call share its name, its answers and its one execution. What it has asked first is kept as a memo of
 * the call.
 */
export class Owned<T> {
  readonly #run: Run;
  readonly #parts: OwnedParts<T>;
  /** Reports that its question, if there is one, has begun: it leaves with the other questions of the turn. */
  readonly #decided: () => void;
  #memo: BegunMemo | undefined;
  #asked: Step | null = null;

  constructor(run: Run, parts: OwnedParts<T>) {
    this.#run = run;
    this.#parts = parts;
    this.#decided = run.turn.begin();
  }

  get hasAskedAgain(): boolean {
    return this.#asked === 'again';
  }

  /** What is there, or what the person gives. */
  async findOrAsk(): Promise<T> {
    try {
      const [current, earlier] = await Promise.all([this.find(), this.#askedBefore()]);
      let stored = current;
      for (let step = earlier ?? (stored ? null : 'first'); step; step = stored || step === 'again' ? null : 'again') {
        await this.#ask(step);
        stored = await this.find();
      }
      if (stored) return stored;
      throw this.#parts.declined();
    } finally {
      this.#decided();
    }
  }

  find(): Promise<T | null> {
    return this.#parts.find();
  }

  /** Asks again for what was refused. */
  async renew(): Promise<T> {
    await this.#ask('again');
    const next = await this.find();
    if (!next) throw this.#parts.declined();
    return next;
  }

  /** What an earlier run of this call has asked; null if nothing. */
  async #askedBefore(): Promise<Step | null> {
    if (isFirstRun(this.#run)) return null;
    const { isKept, value } = await this.#begin();
    const { data } = Kept.safeParse(value);
    if (!isKept || !data) return null;
    const { step, call } = data;
    // A question that came later in the earlier run may come first in this one.
    await this.#run.nameOnce(async () => call);
    return step;
  }

  /** Asks, or joins the answer of an earlier run. */
  async #ask(step: Step): Promise<void> {
    const { key, message, options, expects, declined } = this.#parts;
    const { id, isKept } = await this.#begin();
    const [call] = await namesOf(this.#run);
    if (!isKept && this.#asked === null) this.#run.memos.add({ id, key: this.#memoKey, value: { step, call } });
    this.#asked = step;
    const named = { ...options, key: step === 'first' ? key : `${key}${again}` };
    const asking = { ...named, audience: 'requester' as const, supersede: 'none' as const };
    const answer = askUnderSignals(this.#run, message, { expects }, asking);
    this.#decided();
    const { status, comment } = await answer;
    if (status !== 'accept') throw declined(comment);
  }

  /** A key that no step of an author is likely to have. */
  get #memoKey(): string {
    return `${memoPrefix}${this.#parts.key}`;
  }

  async #begin(): Promise<BegunMemo> {
    this.#memo ??= await this.#run.client.beginMemo({ ...(await placeOf(this.#run)), key: this.#memoKey });
    return this.#memo;
  }
}

/** Calls of 2026-07-28 without a state join no earlier run of the same requester's questions. */
const isFirstRun = ({ call: { round, continues }, joined }: Run): boolean =>
  round !== undefined && round.answered === undefined && continues === undefined && joined === undefined;

const memoPrefix = 'asked ';
const again = ':again';
const Kept = z.object({ step: z.enum(['first', 'again']), call: z.string() });

/** Longest key of the question for it, for another is made of it. */
export const maxKeyLength = 64 - again.length;
