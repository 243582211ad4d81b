import { paramsOf, type Frame, type FrameId } from '../../frames/frame/frame.ts';

/** How far the gateway's own progress of each call has come, because a tool's own continues above it. */
export class ProgressOffsets {
  readonly #counts = new Map<FrameId, number>();

  /** Remembers how far the call of this token is. */
  note(token: FrameId, progress: number): void {
    this.#counts.set(token, progress);
  }

  forget(token: FrameId | undefined): void {
    if (token !== undefined) this.#counts.delete(token);
  }

  /** The tool's own progress above the gateway's; null if it needs no change. */
  raise(frame: Frame): Frame | null {
    const { progressToken, progress, total } = paramsOf(frame);
    const offset = this.#counts.get(progressToken as FrameId);
    if (offset === undefined || typeof progress !== 'number') return null;
    const raised = { progress: progress + offset, ...(typeof total === 'number' && { total: total + offset }) };
    return { ...frame, params: { ...paramsOf(frame), ...raised } };
  }
}
