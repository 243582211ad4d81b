import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { resumptions } from './resumptions.ts';
import type { Peer } from './peer.ts';

const create = `CREATE TABLE IF NOT EXISTS wait (id text PRIMARY KEY, question text NOT NULL, answer text)`;
const ask = { name: 'ask', text: 'INSERT INTO wait (id, question) VALUES ($1, $2)' };
const answer = {
  name: 'answer',
  text: `WITH answered AS (UPDATE wait SET answer = $2 WHERE id = $1 AND answer IS NULL RETURNING id)
    SELECT pg_notify('answered', id) FROM answered`,
};
const read = { name: 'read', text: 'SELECT answer FROM wait WHERE id = $1' };

/** One statement a step, one row a question, and LISTEN: no keys, no policy, no sealing, no log. */
export const barePg: Peer = {
  async startAsker({ databaseUrl }) {
    const pool = new pg.Pool({ connectionString: databaseUrl });
    await pool.query(create);
    const { wait, resume } = resumptions();
    const listener = new pg.Client({ connectionString: databaseUrl });
    await listener.connect();
    listener.on('notification', ({ payload = '' }) => {
      void pool.query({ ...read, values: [payload] }).then(() => resume(payload));
    });
    await listener.query('LISTEN answered');
    return {
      async ask(question) {
        const reference = randomUUID();
        const resumed = wait(reference);
        await pool.query({ ...ask, values: [reference, question] });
        return { reference, resumed };
      },
    };
  },
  startAnswerer({ databaseUrl }) {
    const pool = new pg.Pool({ connectionString: databaseUrl });
    return Promise.resolve({
      answer: async (reference) => void (await pool.query({ ...answer, values: [reference, 'accept'] })),
    });
  },
};
