import { isFrameId, type FrameId } from '../frames/frame.ts';
import { z } from 'zod';

/** Something of one upstream. */
interface Owned<Own = string> {
  upstream: string;
  own: Own;
}

/** A way to name what belongs to an upstream so that the name leads back to it, and no two things get one name. */
export interface Naming<Own = string> {
  join(upstream: string, own: Own): string;
  /** Null for a name that `join` never makes. */
  split(name: string): Owned<Own> | null;
}

/** Of tools and prompts. An upstream's name has no such mark and does not end with half of one. */
const mark = '__';

/** Can this be the name of an upstream, so that what follows it can be told from it? */
export const isPrefix = (upstream: string): boolean => !`${upstream}_`.includes(mark);

/** `files__read_file`: as tools are named, for clients that take letters, digits, dashes and underscores only. */
export const names: Naming = {
  join: (upstream, own) => upstream + mark + own,
  split: (name) => cut(name, name.indexOf(mark), mark.length),
};

const scheme = 'upstream:';

/** `upstream:files/file:///work/a.txt`: an address of its own, in which the upstream's stays letter by letter. */
export const addresses: Naming = {
  join: (upstream, own) => `${scheme}${upstream}/${own}`,
  split: (name) => (name.startsWith(scheme) ? places.split(name.slice(scheme.length)) : null),
};

/** `files/7f3a`: of tasks and of places in a stream. */
export const places: Naming = {
  join: (upstream, own) => `${upstream}/${own}`,
  split: (name) => cut(name, name.indexOf('/'), 1),
};

/** `files/7` and `files/"7"`: of requests of an upstream, whose ids are texts or numbers. */
export const ids: Naming<FrameId> = {
  join: (upstream, own) => places.join(upstream, JSON.stringify(own)),
  split(name) {
    const { upstream, own: text } = places.split(name) ?? {};
    const own = parse(text ?? '');
    return upstream !== undefined && isFrameId(own) && JSON.stringify(own) === text ? { upstream, own } : null;
  },
};

const cut = (name: string, at: number, length: number): Owned | null =>
  at < 0 ? null : { upstream: name.slice(0, at), own: name.slice(at + length) };

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

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
