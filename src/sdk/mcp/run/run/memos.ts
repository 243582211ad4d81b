import type { AssentryClient } from '../../../client/client.ts';
import type { NewMemo } from '../../question/call/make-once.ts';

/** What the steps of one run made. What was made before the call was stored is kept with its first question. */
export class Memos {
  readonly #byKey = new Map<string, Promise<unknown>>();
  readonly #unkept = new Set<NewMemo>();

  /** The same for each use of the key; a step that failed may be tried again. */
  once(key: string, work: () => Promise<unknown>): Promise<unknown> {
    const earlier = this.#byKey.get(key);
    if (earlier) return earlier;
    const memo = work();
    this.#byKey.set(key, memo);
    memo.catch(() => this.#byKey.delete(key));
    return memo;
  }

  add(memo: NewMemo): void {
    this.#unkept.add(memo);
  }

  /** What cannot be kept now is kept with the next question, or made again under the same idempotency key. */
  async keep(client: AssentryClient, toolCall: string): Promise<void> {
    for (const memo of this.#unkept) {
      const isKept = await client.keepMemo(toolCall, memo).then(
        () => true,
        () => false,
      );
      if (isKept) this.#unkept.delete(memo);
    }
  }
}
