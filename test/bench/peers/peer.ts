import type { Prepared } from '../prepared.ts';

/** Where a peer works: a PostgreSQL database that no other peer uses, and the addresses of its own server. */
export interface Place {
  databaseUrl: string;
  addresses: Record<string, string>;
  prepared: Prepared;
}

export interface Waiting {
  /** What the other process needs to answer. */
  reference: string;
  /** Resolves when the waiting code goes on; absent if it goes on in the process that answers. */
  resumed?: Promise<void>;
}

/** The process that asks and waits. */
export interface Asker {
  /** Resolves when the question is stored so that it outlasts any process. */
  ask(question: string): Promise<Waiting>;
}

/** Another process, which answers. */
export interface Answerer {
  answer(reference: string): Promise<void>;
}

export interface PeerServer {
  pid: number;
  addresses: Place['addresses'];
  stop(): Promise<void>;
}

/** Something that keeps a question until its answer comes from another process. */
export interface Peer {
  /** The database that its own begins as a copy of; empty if absent. */
  template?: string;
  /** A server of its own, if it has one. */
  startServer?(place: Place): Promise<PeerServer>;
  startAsker(place: Place): Promise<Asker>;
  startAnswerer(place: Place): Promise<Answerer>;
}
