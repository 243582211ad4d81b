import { randomUUID } from 'node:crypto';
import { castVote } from '#requests/voting/verbs';
import { viewElicitation, waitForOutcome } from '#requests/asking/verbs/view';
import type { Engine } from '#platform/nodes/verbs/engine';
import { openElicitation } from '#requests/asking/verbs/ask';
import type { User, ServerCaller } from '#people/directory/contract/user';
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
