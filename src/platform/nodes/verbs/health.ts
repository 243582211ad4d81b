import { Problem } from '../../model/problem.ts';
import type { NodeWarning } from '../contract/node-warning.ts';
import type { ShownWitness } from '#audit/search/contract';
import type { StreamState } from '../contract/ready.ts';

/** A loop of a node, and its failures in a row. */
export interface LoopState {
  name: string;
  failures: number;
}

/** Failures in a row after which a loop waits longer each time, and the node warns of it. */
export const lastingFailures = 3;

/** Milliseconds without a sign of life, which a node writes every two seconds. */
const silenceMs = 15_000;
const notTaken =
  'Look at PostgreSQL: it has taken no write of this node for 15 seconds, as a primary that became read-only. The log of the node has the reason.';

/** Current warnings of this node, and last known states of the witnesses and the streams of the log. */
export function createHealth(now: () => number) {
  const warnings = new Map<NodeWarning['code'], { warning: NodeWarning; since: number }>();
  const warn = (warning: NodeWarning): boolean => {
    const before = warnings.get(warning.code);
    warnings.set(warning.code, { warning, since: before?.since ?? now() });
    return before === undefined;
  };
  let latest: ShownWitness[] = [];
  const streams = new Map<string, StreamState>();
  const untimed = new Set<string>();
  let unusedKeys = 0;
  let storedAt: number | null = null;
  let storeFault: Problem | null = null;
  let loops: LoopState[] = [];
  const failingLoops = (): string[] =>
    loops.flatMap(({ name, failures }) => (failures >= lastingFailures ? [name] : [])).sort();
  return {
    warnings: (): NodeWarning[] => [...warnings.values()].map(({ warning }) => warning),
    /** Time since which this node warns of it; null if it does not. */
    since: (code: NodeWarning['code']): number | null => warnings.get(code)?.since ?? null,
    witnesses: (): ShownWitness[] => latest,
    setWitnesses: (witnesses: ShownWitness[]) => void (latest = witnesses),
    streams: (): StreamState[] => [...streams.values()],
    /** Warns while a stream fails. */
    hearStream(stream: StreamState) {
      streams.set(stream.name, stream);
      const failing = [...streams.values()].flatMap(({ name, fault }) => (fault === null ? [] : [name]));
      if (failing.length > 0) warn({ code: 'stream-fails', streams: failing.sort() });
      else warnings.delete('stream-fails');
    },
    /** Notes that the database took a write that began at this moment of the process, in milliseconds. */
    hearStore: (at: number) => void (storedAt = at),
    /** Sets why this node can store nothing, by the latest check of its connection, its rights and the log; null if it can. */
    hearStoreFault: (fault: Problem | null) => void (storeFault = fault),
    /** Throws if this node could not store a moment ago. A node that has just started has no news yet. */
    assertStores(at: number): void {
      if (storeFault) throw storeFault;
      if (storedAt !== null && at - storedAt > silenceMs)
        throw new Problem('database-unavailable', { detail: notTaken });
    },
    loops: (): LoopState[] => loops,
    failingLoops,
    /** Warns while a loop keeps failing; true if none did before. */
    hearLoops(states: LoopState[]): boolean {
      loops = states;
      if (failingLoops().length > 0) return warn({ code: 'loop-fails', loops: failingLoops() });
      warnings.delete('loop-fails');
      return false;
    },
    /** Notes a sign-in at this provider, with or without the time of the proof. Warns while a provider gives none. */
    hearProvider(name: string, isTimed: boolean): void {
      if (isTimed) untimed.delete(name);
      else untimed.add(name);
      if (untimed.size > 0) warn({ code: 'provider-untimed', providers: [...untimed].sort() });
      else warnings.delete('provider-untimed');
    },
    /** Keys of servers that were not used for 90 days. */
    unusedKeys: (): number => unusedKeys,
    countUnusedKeys: (keys: number) => void (unusedKeys = keys),
    /** Warns of this; true if it did not before. */
    warn,
    /** Ends this warning. */
    clear: (code: NodeWarning['code']) => void warnings.delete(code),
  };
}

export type Health = ReturnType<typeof createHealth>;

/** Warns while policies in force allow shell commands by a part of them. */
export function warnOfCommands(health: Health, policies: string[]): void {
  if (policies.length > 0) health.warn({ code: 'commands-by-part', policies });
  else health.clear('commands-by-part');
}

/** The witnesses that disagree, by their last answers to this node. */
export const disagreeing = (health: Health): string[] =>
  health.warnings().flatMap((warning) => (warning.code === 'witness-disagrees' ? warning.witnesses : []));
