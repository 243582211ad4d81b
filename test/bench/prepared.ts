import type { User } from '#people/directory/contract/user';
import { openOperator } from '#server/open-operator';
import type { ServerOptions } from '#server/options';
import type { BenchDatabase } from './bench-database.ts';
import { nodeUrl } from '../support/databases/node-login.ts';

/** Who asks and who decides. */
export interface Prepared {
  key: string;
  user: User;
  /** Another approver with the same password. */
  another: User;
  password: string;
}

export const nodeOptions: Omit<ServerOptions, 'databaseUrl'> = {
  host: '127.0.0.1',
  port: 0,
  publicUrl: null,
  dataDirectory: null,
  databasePort: null,
  logLevel: 'error',
  environment: 'trial',
  limits: { perServer: 1e6, perRequester: 1e6 },
  rates: { opened: 1e6, calls: 1e6, streams: 1e6, inProgress: 1e6, inProgressPerCaller: 1e6 },
  secrets: [{ kid: 'bench', secret: 'a-secret-for-measuring-of-enough-characters' }],
};

/** One server key and two approvers, in each of the databases that are measured. */
export async function prepareDatabases(database: BenchDatabase, names: string[]): Promise<Prepared> {
  const operator = await openOperator({ ...nodeOptions, databaseUrl: nodeUrl(database.url()) });
  const password = 'seven quiet otters paint';
  const key = await operator.createServerKey('payments');
  const who = { role: 'approver', password } as const;
  const user = await operator.addUser({ ...who, email: 'ada@example.com', name: 'Ada Lovelace' });
  const another = await operator.addUser({ ...who, email: 'grace@example.com', name: 'Grace Hopper' });
  await operator.close();
  await database.copy('assentry', names);
  return { key, user, another, password };
}
