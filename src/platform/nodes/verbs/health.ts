import { Problem } from '../../model/problem.ts';
import type { NodeWarning } from '../contract/node-warning.ts';
import type { ShownWitness } from '#audit/search/contract';
import type { StreamState } from '../contract/ready.ts';

/** A part of what a node does besides answering requests, and how often in a row it has failed. */
export interface LoopState {
  name: string;
  failures: number;
}

/** After so many failures in a row a loop waits longer each time, and the node warns of it. */
export const lastingFailures = 3;

/** Milliseconds: a node writes a sign of life every two seconds. */
const silenceMs = 15_000;
const notTaken =
  'Look at PostgreSQL: it has taken no write of this node for 15 seconds, as a primary that became read-only. The log of the node has the reason.';

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
  const untimed = new Set<string>();
  let unusedKeys = 0;
  let storedAt: number | null = null;
  let storeFault: Problem | null = null;
  let loops: LoopState[] = [];
  const failingLoops = (): string[] =>
    loops.flatMap(({ name, failures }) => (failures >= lastingFailures ? [name] : [])).sort();
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
    /** The database has taken a write that began at this moment of the process, in milliseconds. */
    hearStore: (at: number) => void (storedAt = at),
    /** Why this node can store nothing, by the latest look at its connection, its rights and the log; null if it can. */
    hearStoreFault: (fault: Problem | null) => void (storeFault = fault),
    /** Throws if this node could not store a moment ago. A node that has just started has not been heard yet. */
    assertStores(at: number): void {
      if (storeFault) throw storeFault;
      if (storedAt !== null && at - storedAt > silenceMs)
        throw new Problem('database-unavailable', { detail: notTaken });
    },
    loops: (): LoopState[] => loops,
    failingLoops,
    /** Warns for as long as one of them fails again and again; true if none did before. */
    hearLoops(states: LoopState[]): boolean {
      loops = states;
      if (failingLoops().length > 0) return warn({ code: 'loop-fails', loops: failingLoops() });
      warnings.delete('loop-fails');
      return false;
    },
    /** Someone signed in at this provider, which said when they proved who they are or did not. Warns for as long as one does not. */
    hearProvider(name: string, isTimed: boolean): void {
      if (isTimed) untimed.delete(name);
      else untimed.add(name);
      if (untimed.size > 0) warn({ code: 'provider-untimed', providers: [...untimed].sort() });
      else warnings.delete('provider-untimed');
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
