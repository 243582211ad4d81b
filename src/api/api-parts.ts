import type { Engine } from '../engine/engine.ts';
import type { Authenticate } from './authenticate.ts';

/** What every group of routes is served with. */
export interface ApiParts {
  engine: Engine;
  authenticate: Authenticate;
  /** Aborts when the node stops: streams end, long polls answer with what is. */
  shutdown: AbortSignal;
  version: string;
}
