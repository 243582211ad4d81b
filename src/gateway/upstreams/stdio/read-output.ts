import type { Readable } from 'node:stream';
import { LineReader } from '../../frames/frame/line-reader.ts';
import { large, type AnswerBudget } from '../upstream/answer-budget.ts';

interface Output {
  /** Whose room what it writes takes. */
  caller: string;
  answers: AnswerBudget;
  /** Bytes of one message. */
  size: number;
  /** From then on nothing waits for room. */
  ended: AbortSignal;
  /** Do its clients have much to read yet? */
  isBehind(): boolean;
  onLine(line: Buffer): Promise<void>;
  onTooLong(): void;
}

/**
 * Reads what a process writes, and no further than there is room: a large message takes it before more of it is read, and
 * `onLine` is to count what it passes on. Which call the next answer is for is unknown until it is read, so nothing is dropped and the process waits.
 */
export async function readOutput(
  stdout: Readable,
  { answers, size, ended, isBehind, ...output }: Output,
): Promise<void> {
  const reservation = answers.reserve(output.caller, null);
  ended.addEventListener('abort', () => reservation.release(), { once: true });
  const lines: Buffer[] = [];
  const reader = new LineReader(size, { onLine: (line) => lines.push(line), onTooLong: output.onTooLong });
  let reserved = 0;
  const reserve = async (more: number): Promise<void> => {
    await reservation.grow(more).catch(() => {}); // it ends
    reserved += more;
  };
  for await (const chunk of stdout as AsyncIterable<Buffer>) {
    reader.push(chunk);
    for (const line of lines.splice(0)) {
      await answers.largeMessages.waitTurn(line.length);
      await output.onLine(line);
      reservation.shrink(reserved);
      reserved = 0;
    }
    if (reader.unread > large && reserved === 0) await reserve(size);
    else if (isBehind()) await reserve(0);
  }
  reservation.release();
}
