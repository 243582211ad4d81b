import { z } from 'zod';

const maxLetters = 12_000;

/**
 * A record as a text that passes in a header. It is not signed: it names nothing that a client could not send to the
 * upstreams' own addresses, which judge it. So any node reads it, and they share no secret.
 */
class Packed<Value> {
  readonly #schema: z.ZodType<Record<string, Value>>;

  constructor(value: z.ZodType<Value>) {
    this.#schema = z.record(z.string(), value);
  }

  pack(record: Readonly<Record<string, Value>>): string {
    return Buffer.from(JSON.stringify(record)).toString('base64url');
  }

  /** Null for a text that `pack` never makes. */
  unpack(text: unknown): ReadonlyMap<string, Value> | null {
    if (typeof text !== 'string' || text.length > maxLetters) return null;
    try {
      const record = this.#schema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
      return this.pack(record) === text ? new Map(Object.entries(record)) : null;
    } catch {
      return null;
    }
  }
}

/** How one upstream knows a session of 2025, if it has sessions, and the revision that it speaks there. */
const Session = z.strictObject({ id: z.string().nullable(), version: z.string() });

export type UpstreamSession = z.infer<typeof Session>;

/** The id of a session with several upstreams: that of each. */
export const sessions = new Packed(Session);

/** Where a list goes on, at each upstream that has more of it. */
export const cursors = new Packed(z.string());
