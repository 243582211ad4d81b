import type { StreamState } from '#protocol/model/notifications/log-stream';

/** What an operator should look at although the node serves. */
type Warning =
  /** The machine's clock is so many seconds ahead of the database's; less than 0 if it is behind. */
  | { code: 'clock-differs'; seconds: number }
  /** Entries get no places, since the log is not what was signed; the node's own log says why. */
  | { code: 'log-stands-still' }
  /** These witnesses have seen a longer log, or another past. */
  | { code: 'witness-disagrees'; witnesses: string[] }
  /** These streams of the log do not arrive. */
  | { code: 'stream-fails'; streams: string[] }
  /** So many changes wait to be planned as notifications, the first of them since this moment. */
  | { code: 'notifications-stand-still'; changes: number; since: number }
  /** Nodes run with different values of these settings. */
  | { code: 'nodes-differ'; settings: string[] }
  /** So many keys of servers expire soon, the first of them at this moment. */
  | { code: 'keys-expire'; keys: number; at: number };

/** How far a witness has seen the log. */
export interface ShownWitness {
  name: string;
  /** Null before its first word. */
  size: number | null;
  at: number | null;
}

/** What this node warns of now, and what it last heard of the witnesses and of the streams of the log. */
export interface Health {
  warnings(): Warning[];
  witnesses(): ShownWitness[];
  hear(witnesses: ShownWitness[]): void;
  streams(): StreamState[];
  /** Warns for as long as one of them fails. */
  hearStream(stream: StreamState): void;
  /** Keys of servers that were not used for 90 days. */
  unusedKeys(): number;
  countUnusedKeys(keys: number): void;
  /** Says that this is so; true if it was not so before. */
  warn(warning: Warning): boolean;
  /** Says that this is over. */
  clear(code: Warning['code']): void;
}

export function createHealth(): Health {
  const warnings = new Map<Warning['code'], Warning>();
  let latest: ShownWitness[] = [];
  const streams = new Map<string, StreamState>();
  let unusedKeys = 0;
  return {
    warnings: () => [...warnings.values()],
    witnesses: () => latest,
    hear: (witnesses) => void (latest = witnesses),
    streams: () => [...streams.values()],
    hearStream(stream) {
      streams.set(stream.name, stream);
      const failing = [...streams.values()].flatMap(({ name, fault }) => (fault === null ? [] : [name]));
      if (failing.length > 0) warnings.set('stream-fails', { code: 'stream-fails', streams: failing.sort() });
      else warnings.delete('stream-fails');
    },
    unusedKeys: () => unusedKeys,
    countUnusedKeys: (keys) => void (unusedKeys = keys),
    warn(warning) {
      const isNew = !warnings.has(warning.code);
      warnings.set(warning.code, warning);
      return isNew;
    },
    clear: (code) => void warnings.delete(code),
  };
}

/** The witnesses that disagree, as this node knows. */
export const disagreeing = (health: Health): string[] =>
  health.warnings().flatMap((warning) => (warning.code === 'witness-disagrees' ? warning.witnesses : []));
