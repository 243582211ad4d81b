import type { Peer } from './peer.ts';

interface Entry {
  /** Loaded when it is used, since its packages may not be installed. */
  load(): Promise<Peer>;
  /** Whether it needs packages that `npm ci` does not install. */
  isForeign: boolean;
}

export const peers = {
  'Bare pg': { load: async () => (await import('./bare-pg.ts')).barePg, isForeign: false },
  Assentry: { load: async () => (await import('./assentry.ts')).assentry, isForeign: false },
  DBOS: { load: async () => (await import('./dbos.ts')).dbos, isForeign: true },
  Restate: { load: async () => (await import('./restate.ts')).restate, isForeign: true },
  'pg-boss': { load: async () => (await import('./pg-boss.ts')).pgBoss, isForeign: true },
  LangGraph: { load: async () => (await import('./langgraph.ts')).langGraph, isForeign: true },
  BullMQ: { load: async () => (await import('./bullmq.ts')).bullMq, isForeign: true },
} satisfies Record<string, Entry>;

export type PeerName = keyof typeof peers;

export const peerNames = Object.keys(peers) as PeerName[];
