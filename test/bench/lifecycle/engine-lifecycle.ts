import { randomUUID } from 'node:crypto';
import { castVote } from '../../../src/engine/voting/cast-vote.ts';
import { viewElicitation } from '../../../src/engine/asking/elicitation-view.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { openElicitation } from '../../../src/engine/asking/open-elicitation.ts';
import { waitForOutcome } from '../../../src/engine/elicitation/wait-for-outcome.ts';
import type { User, ServerCaller } from '../../../src/model/user.ts';
import { accepted, question } from '../question.ts';

export interface Actors {
  server: ServerCaller;
  user: User;
}

/** One question asked, voted on and read again by the verbs of the engine: four statements. */
export async function runEngineLifecycle(engine: Engine, { server, user }: Actors): Promise<void> {
  const { id, digest } = await openElicitation(engine, server, { ...question, call: randomUUID() });
  await castVote(engine, user, id, { ...accepted, digest });
  const done = new AbortController();
  const row = await waitForOutcome(engine, server, id, done.signal);
  done.abort();
  const { action, content } = viewElicitation(engine, row);
  if (action !== 'accept' || content?.['confirmed'] !== true) throw new TypeError(`The outcome is wrong: ${action}.`);
}
