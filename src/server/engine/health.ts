import type { StreamState } from '#protocol/model/notifications/log-stream';
import type { NodeWarning } from '#protocol/model/notifications/node-warning';

/** How far a witness has seen the log. */
export interface ShownWitness {
  name: string;
  /** Null before its first word. */
  size: number | null;
  at: number | null;
}

/** What this node warns of now, and what is last known of the witnesses and of the streams of the log. */
export function createHealth(now: () => number) {
  const warnings = new Map<NodeWarning['code'], { warning: NodeWarning; since: number }>();
  const warn = (warning: NodeWarning): boolean => {
    const before = warnings.get(warning.code);
    warnings.set(warning.code, { warning, since: before?.since ?? now() });
    return before === undefined;
  };
  let latest: ShownWitness[] = [];
  const streams = new Map<string, StreamState>();
  let unusedKeys = 0;
  return {
    warnings: (): NodeWarning[] => [...warnings.values()].map(({ warning }) => warning),
    /** Since when this node warns of it; null if it does not. */
    since: (code: NodeWarning['code']): number | null => warnings.get(code)?.since ?? null,
    witnesses: (): ShownWitness[] => latest,
    setWitnesses: (witnesses: ShownWitness[]) => void (latest = witnesses),
    streams: (): StreamState[] => [...streams.values()],
    /** Warns for as long as one of them fails. */
    hearStream(stream: StreamState) {
      streams.set(stream.name, stream);
      const failing = [...streams.values()].flatMap(({ name, fault }) => (fault === null ? [] : [name]));
      if (failing.length > 0) warn({ code: 'stream-fails', streams: failing.sort() });
      else warnings.delete('stream-fails');
    },
    /** Keys of servers that were not used for 90 days. */
    unusedKeys: (): number => unusedKeys,
    countUnusedKeys: (keys: number) => void (unusedKeys = keys),
    /** Says that this is so; true if it was not so before. */
    warn,
    /** Says that this is over. */
    clear: (code: NodeWarning['code']) => void warnings.delete(code),
  };
}

export type Health = ReturnType<typeof createHealth>;

/** Warns for as long as policies in force allow shell commands by a part of them. */
export function warnOfCommands(health: Health, policies: string[]): void {
  if (policies.length > 0) health.warn({ code: 'commands-by-part', policies });
  else health.clear('commands-by-part');
}

/** The witnesses that disagree, by the last answers that this node got. */
export const disagreeing = (health: Health): string[] =>
  health.warnings().flatMap((warning) => (warning.code === 'witness-disagrees' ? warning.witnesses : []));
