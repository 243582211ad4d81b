import pg from 'pg';
import { startBenchDatabase, type BenchDatabase } from '../bench-database.ts';

export interface PeerDatabase {
  url: string;
  /** Statements to this database so far, and CPU and WAL of the whole PostgreSQL. */
  count(): Promise<{ statements: number; postgres: number | null; wal: number }>;
  drop(): Promise<void>;
}

export interface PeersDatabase {
  bench: BenchDatabase;
  create(template?: string): Promise<PeerDatabase>;
  stop(): Promise<void>;
}

/** The PostgreSQL of the bench, which also counts statements, whoever sends them. */
export async function startPeersDatabase(): Promise<PeersDatabase> {
  const bench = await startBenchDatabase({ shared_preload_libraries: 'pg_stat_statements' });
  const observer = new pg.Client({ connectionString: bench.url('postgres') });
  await observer.connect();
  await observer.query('CREATE EXTENSION pg_stat_statements');
  let created = 0;
  return {
    bench,
    async create(template = 'template1') {
      const name = `peer_${(created += 1)}`;
      await bench.copy(template, [name]);
      return {
        url: bench.url(name),
        async count() {
          const { rows } = await observer.query<{ calls: string }>(calls, [name]);
          return { statements: Number(rows[0]?.calls), postgres: bench.cpu(), wal: await bench.wal() };
        },
        drop: async () => void (await observer.query(`DROP DATABASE ${name} WITH (FORCE)`)),
      };
    },
    async stop() {
      await observer.end();
      await bench.stop();
    },
  };
}

const calls = `
  SELECT coalesce(sum(s.calls), 0) AS calls
    FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid WHERE d.datname = $1`;
