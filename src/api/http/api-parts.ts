import type { Engine } from '../../engine/engine.ts';
import type { Authenticate } from './authenticate.ts';

/** What every group of routes is served with. */
export interface ApiParts {
  engine: Engine;
  authenticate: Authenticate;
  /** Slack, or null where it is not set up. */
  chat: ChatDoor | null;
  /** Aborts when the node is about to stop: it says that it is not ready, and serves on. */
  leaving: AbortSignal;
  /** Aborts when the node stops: streams end, long polls answer with what is. */
  shutdown: AbortSignal;
  version: string;
}

/** Slack, where it is set up. */
export interface ChatDoor {
  signingSecret: string;
  /** Says something that one member alone sees. */
  whisper(to: { channel: string; member: string }, text: string): Promise<void>;
  /** The workspace we are installed in. */
  team(): Promise<string>;
}
