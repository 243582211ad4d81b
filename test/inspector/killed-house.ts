import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { StdioServerParameters } from '@modelcontextprotocol/sdk/client/stdio.js';
import { newFolder } from '../support/new-folder.ts';
import { startProgram, type AssentryProcess } from '../cli/assentry-process.ts';
import { compiled, shippedProgram } from '../support/compiled.ts';
import { until } from '../support/poll.ts';
import { foreignServers, type ForeignServer } from './foreign-servers.ts';

/** Calls of one server's tool, by the name of each. */
export interface ForeignCalls {
  at: { url: string } | StdioServerParameters;
  tool: string;
  calls: Record<string, Record<string, unknown>>;
}

/** The servers of other people behind the gateway, with all that can be killed. */
export interface KilledHouse {
  servers: ForeignServer[];
  /** Starts the gateway, at the same port each time; behind `wrap`, each client starts its own. */
  startGateway(): Promise<void>;
  /** Starts a client that makes these calls, by server and kind, and waits so long for each. */
  call(names: string[], patience?: number): AssentryProcess;
  killGateway(): void;
  killServers(): void;
  /** From now on servers answer. */
  answer(): void;
  /** The arguments of each call that has reached a server. */
  ran(): string[];
}

export interface HouseSettings {
  isWrapped: boolean;
  /** Assentry, and a key of each server. */
  url: string;
  keys: Record<string, string>;
}

/** Without policies each tool waits, also one that only says or thinks; a server that begins anew has one thought. */
const others: Record<string, Pick<ForeignServer, 'writes' | 'says'>> = {
  everything: { writes: ['echo', (message) => ({ message })], says: /^Echo/ },
  'sequential-thinking': {
    writes: [
      'sequentialthinking',
      (thought) => ({ thought, nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }),
    ],
    says: /"thoughtHistoryLength": [12]/,
  },
};

/** Behind `wrap`, or behind one gateway over HTTP. */
export function newHouse({ isWrapped, url, keys }: HouseSettings): KilledHouse {
  const folder = newFolder();
  const inFolder = (name: string): string => path.join(folder, name);
  const servers = foreignServers(folder).map((server) => ({ ...server, ...others[server.name] }));
  const own = { ASSENTRY_URL: url, ASSENTRY_DATA_DIR: inFolder('assentry') };
  const late = ({ command, args }: ForeignServer) => [
    compiled('test/inspector/late-server.ts'),
    folder,
    command,
    ...args,
  ];
  let address = '';
  const wrapped = (server: ForeignServer): StdioServerParameters => ({
    command: 'sh',
    args: [
      '-c',
      'echo $$ >> "$0"; exec "$@"',
      inFolder('gateways'),
      process.execPath,
      compiled(shippedProgram),
      'wrap',
      '--server',
      server.name,
      '--',
      process.execPath,
      ...late(server),
    ],
    env: { PATH: process.env['PATH'] ?? '', ...own, ASSENTRY_API_KEY: keys[server.name] ?? '', ...server.env },
    stderr: 'ignore',
  });
  return {
    servers,
    async startGateway() {
      if (isWrapped) return;
      const upstreams = Object.fromEntries(servers.map((server) => [server.name, upstreamOf(server, late(server))]));
      const port = address === '' ? 0 : Number(new URL(address).port);
      writeFileSync(inFolder('gateway.yaml'), JSON.stringify({ port, upstreams }));
      const env = { ...own, ...Object.fromEntries(servers.map(({ name }) => [keyNameOf(name), keys[name] ?? ''])) };
      const words = [shippedProgram, 'gateway', '--config', inFolder('gateway.yaml')];
      const { child, said } = startProgram(words, { env });
      writeFileSync(inFolder('gateways'), `${child.pid ?? ''}\n`);
      address = await until(() => /http:\S+:\d+/.exec(said.stderr)?.[0]);
    },
    call(names, patience = 80_000) {
      const targets = servers.map((server): ForeignCalls => {
        const [tool, argsOf] = server.writes;
        const own = names.filter((name) => name.startsWith(`${server.name} `));
        const at = isWrapped ? wrapped(server) : { url: `${address}/u/${server.name}/mcp` };
        return { at, tool, calls: Object.fromEntries(own.map((name) => [name, argsOf(name)])) };
      });
      const used = targets.filter(({ calls }) => Object.keys(calls).length > 0);
      return startProgram(['test/inspector/third-party-caller.ts', JSON.stringify(used), String(patience)]);
    },
    killGateway: () => killAll(inFolder('gateways')),
    killServers: () => killAll(inFolder('processes')),
    answer: () => writeFileSync(inFolder('go'), ''),
    ran: () => (existsSync(inFolder('calls')) ? linesOf(inFolder('calls')) : []),
  };
}

const upstreamOf = ({ name, env = {} }: ForeignServer, args: string[]) => ({
  command: process.execPath,
  args,
  env,
  key: { env: keyNameOf(name) },
});

const keyNameOf = (name: string): string => `KEY_OF_${name.replace('-', '_').toUpperCase()}`;

const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n').filter(Boolean);

function killAll(file: string): void {
  for (const pid of linesOf(file)) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // it has ended
    }
  }
}
