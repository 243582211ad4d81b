import { z } from 'zod';

/**
 * A record as a text for clients to bring back. It is not signed: it names nothing that a client could not send to the
 * upstreams' own addresses, which judge it. So any node reads it, and they share no secret.
 */
class OpaqueToken<Value> {
  readonly #schema: z.ZodType<Record<string, Value>>;
  readonly #maxLetters: number;

  constructor(value: z.ZodType<Value>, maxLetters = Number.POSITIVE_INFINITY) {
    this.#schema = z.record(z.string(), value);
    this.#maxLetters = maxLetters;
  }

  pack(record: Readonly<Record<string, Value>>): string {
    return Buffer.from(JSON.stringify(record)).toString('base64url');
  }

  /** Null for a text that `pack` never makes. */
  unpack(text: unknown): ReadonlyMap<string, Value> | null {
    if (typeof text !== 'string' || text.length > this.#maxLetters) return null;
    try {
      const record = this.#schema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
      return this.pack(record) === text ? new Map(Object.entries(record)) : null;
    } catch {
      return null;
    }
  }
}

/** What one upstream calls a session of 2025, if it has sessions, and the revision that it speaks there. */
const Session = z.strictObject({ id: z.string().nullable(), version: z.string() });

export type UpstreamSession = z.infer<typeof Session>;

/** The id of a session with several upstreams: that of each. It has to fit into the headers of a request. */
export const sessions = new OpaqueToken(Session, 12_000);

/** Where a list goes on, at each upstream that has more of it. It is part of a body. */
export const cursors = new OpaqueToken(z.string());
