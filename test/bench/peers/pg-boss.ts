import PgBoss from 'pg-boss';
import { randomUUID } from 'node:crypto';
import type { Peer } from './peer.ts';
import { resumptions } from './resumptions.ts';

interface Answer {
  id: string;
}

/** A job for each question and one for each answer. Its workers look for jobs every half second, and no oftener. */
export const pgBoss: Peer = {
  async startAsker({ databaseUrl }) {
    const boss = await start(databaseUrl);
    await boss.createQueue('questions');
    await boss.createQueue('answers');
    const { wait, resume } = resumptions();
    await boss.work<Answer>('answers', { pollingIntervalSeconds: 0.5, batchSize: 256 }, async (jobs) => {
      const ids = jobs.map(({ data }) => data.id);
      await boss.deleteJob('questions', ids);
      for (const id of ids) resume(id);
    });
    return {
      async ask(question) {
        const reference = randomUUID();
        const resumed = wait(reference);
        await boss.send('questions', { question }, { id: reference });
        return { reference, resumed };
      },
    };
  },
  async startAnswerer({ databaseUrl }) {
    const boss = await start(databaseUrl);
    return { answer: async (id) => void (await boss.send('answers', { id } satisfies Answer)) };
  },
};

async function start(connectionString: string): Promise<PgBoss> {
  const boss = new PgBoss(connectionString);
  boss.on('error', (error) => {
    throw error;
  });
  await boss.start();
  return boss;
}
