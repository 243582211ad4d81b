import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { compiled } from '../compiled.ts';
import type { ServerOptions } from '#server/server';

export interface NodeProcess {
  url: string;
  /** All it has written to its log so far. */
  log(): string;
  /** As a machine that loses power. */
  kill(): Promise<void>;
  /** As an operator stops it. */
  stop(): Promise<void>;
}

/** What can be said on a command line. */
export type NodeOptions = Pick<
  Partial<ServerOptions>,
  | 'connectProviders'
  | 'outcomeProviders'
  | 'logLevel'
  | 'metricsToken'
  | 'msteams'
  | 'port'
  | 'slack'
  | 'smtp'
  | 'streams'
  | 'webhooks'
>;

const script = compiled('test/support/nodes/serve-alone.ts');

/** Sets the clock of a process, as if the machine's were wrong by so many milliseconds. */
const setClock = (ahead: number): string[] => [
  '--import',
  `data:text/javascript,${encodeURIComponent(`
    const right = Date.now;
    Date.now = () => right() + ${ahead};
    globalThis.Date = class extends Date {
      constructor(...parts) {
        super(...(parts.length === 0 ? [Date.now()] : parts));
      }
    };`)}`,
];

/** A node in a process of its own, on this database; it dies with its parent. */
export async function spawnNode(
  databaseUrl: string,
  options: NodeOptions = {},
  { ahead = 0 } = {},
): Promise<NodeProcess> {
  const parameters = [...(ahead === 0 ? [] : setClock(ahead)), script, databaseUrl, JSON.stringify(options)];
  const child = spawn(process.execPath, parameters, { stdio: ['pipe', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const failed = exited.then(() => Promise.reject(new TypeError(`The node ended: ${log}`)));
  const [line] = (await Promise.race([once(child.stdout, 'data'), failed])) as [Buffer];
  failed.catch(() => {}); // from here on its end is expected
  return {
    url: line.toString().trim(),
    log: () => log,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async stop() {
      child.stdin.end();
      await exited;
    },
  };
}
