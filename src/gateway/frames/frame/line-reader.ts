const newline = 0x0a;

export interface LineListener {
  /** The bytes of one line, without its end. */
  onLine(line: Buffer): void;
  /** A line was longer than the limit; nothing of it is kept. */
  onTooLong(): void;
}

/** Cuts a stream of bytes into lines, and never keeps more than `limit` bytes of one. */
export class LineReader {
  readonly #limit: number;
  readonly #listener: LineListener;
  #parts: Buffer[] = [];
  #size = 0;
  #isSkipping = false;

  constructor(limit: number, listener: LineListener) {
    this.#limit = limit;
    this.#listener = listener;
  }

  /** Bytes of the line that has not ended yet. */
  get unread(): number {
    return this.#isSkipping ? 0 : this.#size;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      this.#add(chunk.subarray(from, end));
      this.#finish();
      from = end + 1;
    }
    this.#add(chunk.subarray(from));
  }

  #add(part: Buffer): void {
    if (part.length === 0 || this.#isSkipping) return;
    this.#size += part.length;
    if (this.#size <= this.#limit) return void this.#parts.push(part);
    this.#parts = [];
    this.#isSkipping = true;
    this.#listener.onTooLong();
  }

  #finish(): void {
    const line = Buffer.concat(this.#parts);
    const isWhole = !this.#isSkipping;
    this.#parts = [];
    this.#size = 0;
    this.#isSkipping = false;
    if (isWhole) this.#listener.onLine(line);
  }
}
