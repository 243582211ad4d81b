import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync, chmodSync } from 'node:fs';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { until } from '../support/poll.ts';
import { freePort } from '../support/nodes/free-port.ts';
import type { Proxy } from './proxy.ts';
import { nodeLogin } from '../support/databases/node-login.ts';
import type { OwnPostgres } from '../support/databases/own-postgres.ts';
import { settingsOfLogin } from '#platform/database/connection';

export const poolModes = ['session', 'transaction'] as const;
export type PoolMode = (typeof poolModes)[number];

export interface Pooler {
  port: number;
  stop(): Promise<void>;
}

/** The PgBouncer of this machine in front of this PostgreSQL, on this way to it; it must be on the path. */
export async function startPgbouncer(postgres: Pick<OwnPostgres, 'run'>, link: Proxy, mode: PoolMode): Promise<Pooler> {
  await postgres.run(settingsOfLogin(nodeLogin.name, 'assentry').join(' '));
  const directory = mkdtempSync(path.join(os.tmpdir(), 'pgbouncer-'));
  chmodSync(directory, 0o755);
  const port = await freePort();
  writeFileSync(path.join(directory, 'users'), `"${nodeLogin.name}" "${nodeLogin.password}"\n`);
  writeFileSync(path.join(directory, 'settings'), settings(directory, link, { port, mode }));
  const isRoot = process.getuid?.() === 0; // as root it does not run
  const child = spawn('pgbouncer', ['-q', path.join(directory, 'settings')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    ...(isRoot && { uid: nobody, gid: nobody }),
  });
  const ended = once(child, 'exit');
  const missing = new Promise<never>((_, reject) =>
    child.once('error', (cause) => reject(new TypeError('Install pgbouncer: it is not on the path.', { cause }))),
  );
  ended.catch(() => {});
  await Promise.race([until(() => isListening(port)), missing]);
  return {
    port,
    async stop() {
      child.kill('SIGINT');
      await ended;
      rmSync(directory, { recursive: true });
    },
  };
}

const nobody = 65_534;

const settings = (directory: string, link: Proxy, own: { port: number; mode: PoolMode }) => `
[databases]
assentry = host=127.0.0.1 port=${link.port} dbname=assentry
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own.port}
unix_socket_dir =
auth_type = trust
auth_file = ${path.join(directory, 'users')}
pool_mode = ${own.mode}
default_pool_size = 24
server_login_retry = 1
`;

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const answer = (isThere: boolean) => () => (socket.destroy(), resolve(isThere));
    socket.once('connect', answer(true)).once('error', answer(false));
  });
