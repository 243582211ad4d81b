import { isObject, paramsOf, type Frame } from '../frames/frame.ts';

type Token = string | number;

/** How far the gateway's own progress of each call has come, because a tool's own continues above it. */
export class Beats {
  readonly #counts = new Map<Token, number>();

  /** Remembers how far the call of this token is. */
  note(token: Token, progress: number): void {
    this.#counts.set(token, progress);
  }

  forget(token: Token | undefined): void {
    if (token !== undefined) this.#counts.delete(token);
  }

  /** The tool's own progress above the gateway's; null if it needs no change. */
  raise(frame: Frame): Frame | null {
    const { progressToken, progress, total } = paramsOf(frame);
    const offset = this.#counts.get(progressToken as Token);
    if (offset === undefined || typeof progress !== 'number') return null;
    const raised = { progress: progress + offset, ...(typeof total === 'number' && { total: total + offset }) };
    return { ...frame, params: { ...paramsOf(frame), ...raised } };
  }
}

/** Where a call's progress goes; undefined if its client wants none. */
export function progressTokenOf(meta: unknown): Token | undefined {
  const token = isObject(meta) ? meta['progressToken'] : undefined;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}
