import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { everything } from '../gateway/everything-script.ts';

/** A server that other people wrote. */
export interface ForeignServer {
  name: string;
  command: string;
  args: string[];
  env?: Record<string, string>;
  reads: [tool: string, args: Record<string, unknown>];
  /** What writes this text. */
  writes: [tool: string, args: (text: string) => Record<string, unknown>];
  /** Where the text is then; absent if only its answer tells. */
  file?: string;
  /** In the answer of a call that has run once. */
  says: RegExp;
}

const packaged = (name: string): Pick<ForeignServer, 'command' | 'args'> => ({
  command: process.execPath,
  args: [fileURLToPath(import.meta.resolve(name))],
});
const scoped = (name: string) => packaged(`@modelcontextprotocol/server-${name}/dist/index.js`);
const thought = { nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };

/** Five of npm and one in Python, which write into this folder. */
export function foreignServers(folder: string): ForeignServer[] {
  const inFolder = (name: string): string => path.join(folder, name);
  const work = inFolder('work');
  mkdirSync(work);
  writeFileSync(inFolder('ledger'), '');
  return [
    {
      name: 'filesystem',
      command: process.execPath,
      args: [...scoped('filesystem').args, work],
      reads: ['list_directory', { path: work }],
      writes: ['write_file', (content) => ({ path: path.join(work, 'note'), content })],
      file: path.join(work, 'note'),
      says: /Successfully wrote/,
    },
    {
      name: 'memory',
      ...scoped('memory'),
      env: { MEMORY_FILE_PATH: inFolder('memory') },
      reads: ['read_graph', {}],
      writes: ['create_entities', (name) => ({ entities: [{ name, entityType: 'note', observations: [] }] })],
      file: inFolder('memory'),
      says: /"entityType": "note"/,
    },
    {
      name: 'sequential-thinking',
      ...scoped('sequential-thinking'),
      reads: ['sequentialthinking', { thought: 'free', ...thought }],
      writes: ['sequentialthinking', (text) => ({ thought: text, ...thought })],
      says: /"thoughtHistoryLength": 2/,
    },
    {
      name: 'everything',
      command: everything[0],
      args: everything.slice(1),
      reads: ['echo', { message: 'free' }],
      writes: ['get-structured-content', () => ({ location: 'Chicago' })],
      says: /temperature/,
    },
    {
      name: 'taskmanager',
      ...packaged('@kazuph/mcp-taskmanager/dist/index.js'),
      env: { TASK_MANAGER_FILE_PATH: inFolder('tasks') },
      reads: ['list_requests', {}],
      writes: [
        'request_planning',
        (originalRequest) => ({ originalRequest, splitDetails: 'none', tasks: [{ title: 'a', description: 'b' }] }),
      ],
      file: inFolder('tasks'),
      says: /"status": ?"planned"/,
    },
    {
      name: 'ledger',
      command: 'python3',
      args: [path.resolve('test/inspector/ledger_server.py'), inFolder('ledger')],
      reads: ['read_ledger', {}],
      writes: ['write_ledger', (text) => ({ text })],
      file: inFolder('ledger'),
      says: /\n$/,
    },
  ];
}

/** How often the text is in the file. */
export const timesIn = (file: string | undefined, text: string): number =>
  file !== undefined && existsSync(file) ? readFileSync(file, 'utf8').split(text).length - 1 : 0;
