import { DBOS, DBOSClient } from '@dbos-inc/dbos-sdk';
import { randomUUID } from 'node:crypto';
import type { Peer } from './peer.ts';

const patience = 600; // seconds

/** A workflow that takes the question as its input and receives the answer as a message. */
export const dbos: Peer = {
  async startAsker({ databaseUrl }) {
    const workflow = DBOS.registerWorkflow(
      async (_question: string) => {
        if ((await DBOS.recv<string>('answer', patience)) !== 'accept') throw new TypeError('It was not accepted.');
      },
      { name: 'ask' },
    );
    DBOS.setConfig({ name: 'peer', systemDatabaseUrl: databaseUrl, logLevel: 'error' });
    await DBOS.launch();
    return {
      async ask(question) {
        const reference = randomUUID();
        const handle = await DBOS.startWorkflow(workflow, { workflowID: reference })(question);
        return { reference, resumed: handle.getResult() };
      },
    };
  },
  async startAnswerer({ databaseUrl }) {
    const client = await DBOSClient.create({ systemDatabaseUrl: databaseUrl });
    return { answer: (reference) => client.send(reference, 'accept', 'answer') };
  },
};
