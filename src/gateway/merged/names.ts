import { isFrameId, type FrameId } from '../frames/frame.ts';
import { z } from 'zod';

/** Something of one upstream. */
interface Owned<Own = string> {
  upstream: string;
  own: Own;
}

/** Names things of upstreams so that each name leads back to its upstream, and no two things share a name. */
export interface Naming<Own = string> {
  join(upstream: string, own: Own): string;
  /** Null for a name that `join` never makes. */
  split(name: string): Owned<Own> | null;
}

/** Mark in names of tools and prompts. An upstream's name neither contains it nor ends with half of it. */
const mark = '__';

/** Can this be the name of an upstream, so that the rest of a joined name can be told from it? */
export const isPrefix = (upstream: string): boolean => !`${upstream}_`.includes(mark);

/** `files__read_file`: names of tools, for clients that accept only letters, digits, dashes and underscores. */
export const names: Naming = {
  join: (upstream, own) => upstream + mark + own,
  split: (name) => cut(name, name.indexOf(mark), mark.length),
};

const scheme = 'upstream:';

/** `upstream:files/file:///work/a.txt`: addresses, which contain the upstream's address letter by letter. */
export const addresses: Naming = {
  join: (upstream, own) => `${scheme}${upstream}/${own}`,
  split: (name) => (name.startsWith(scheme) ? places.split(name.slice(scheme.length)) : null),
};

/** `files/7f3a`: names of tasks and of places in a stream. */
export const places: Naming = {
  join: (upstream, own) => `${upstream}/${own}`,
  split: (name) => cut(name, name.indexOf('/'), 1),
};

/** `files/7` and `files/"7"`: ids of requests of an upstream, which are texts or numbers. */
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
 * A record as a text that clients bring back. It is unsigned: it names nothing that a client could not send to the upstreams'
 * own addresses, which judge it. So any node reads it without a shared secret.
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

/** One upstream's name of a 2025 session, if it has sessions, and the revision spoken there. */
const Session = z.strictObject({ id: z.string().nullable(), version: z.string() });

export type UpstreamSession = z.infer<typeof Session>;

/** The id of a session with several upstreams: the ids of all. It has to fit into the headers of a request. */
export const sessions = new OpaqueToken(Session, 12_000);

/** Cursor of a list at each upstream that has more of it, sent in a body. */
export const cursors = new OpaqueToken(z.string());
