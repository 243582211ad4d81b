import { randomUUID } from 'node:crypto';
import { createClient } from '../../../src/sdk/client/client.ts';
import {
  OpenElicitation,
  type ElicitationState,
  type OpenedElicitation,
} from '../../../src/requests/asking/contract/open.ts';
import { startBenchNode } from '../bench-node.ts';
import { createHttpCaller } from '../lifecycle/http-caller.ts';
import type { Peer } from './peer.ts';

type Reference = Pick<OpenedElicitation, 'id' | 'digest'>;

/** Through the public doors: the client library asks, a signed-in person votes, the library's stream resumes. */
export const assentry: Peer = {
  template: 'assentry',
  async startServer({ databaseUrl }) {
    const { url, pid, stop } = await startBenchNode(databaseUrl);
    return { pid, addresses: { node: url }, stop };
  },
  startAsker({ addresses: { node = '' }, prepared: { key } }) {
    const client = createClient({ url: node, apiKey: key });
    return Promise.resolve({
      async ask(question) {
        const { id, digest } = await client.open({
          ...OpenElicitation.parse(JSON.parse(question)),
          call: randomUUID(),
        });
        const resumed = client.waitForOutcome(id).then(expectAcceptance);
        return { reference: JSON.stringify({ id, digest } satisfies Reference), resumed };
      },
    });
  },
  async startAnswerer({ addresses: { node = '' }, prepared }) {
    const approver = await createHttpCaller(node, prepared);
    return { answer: (reference) => approver.vote(JSON.parse(reference) as Reference) };
  },
};

function expectAcceptance({ action }: Pick<ElicitationState, 'action'>): void {
  if (action !== 'accept') throw new TypeError(`It ended as ${action}.`);
}
