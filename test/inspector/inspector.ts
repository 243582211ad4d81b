import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { findNode22 } from '../support/node22.ts';

/** What the Inspector shows of a question; the id is its own. */
export interface Pending {
  elicitationId: string;
  mode: 'form' | 'url';
  message: string;
  url?: string;
  origin: 'server-request' | 'input-required' | 'task-input-required';
}

/** What a command of the Inspector's client printed, and how it ended. */
export interface Said {
  code: number;
  text: string;
  /** A tool's result, where the command printed one. */
  result?: CallToolResult;
  /** Where the call waits for its person. */
  pending?: Pending;
  error?: { code: string; message: string };
}

export interface Inspector {
  /** Opens a connection of this name; it outlives the command, in a process of the Inspector's. */
  connect(name: string, ...target: string[]): Promise<Said>;
  run(name: string, ...command: string[]): Promise<Said>;
  /** The Inspector's other client, of one command alone. */
  runOnce(...command: string[]): Promise<Said>;
  /** Ends all its processes. */
  stop(): Promise<void>;
}

const clients = path.resolve('test/support/node22/node_modules/@modelcontextprotocol/inspector/clients');

/** The scriptable client of MCP's Inspector, with a home of its own. */
export async function startInspector(): Promise<Inspector> {
  const home = await mkdtemp(path.join(os.tmpdir(), 'mcpdo-')); // short: the path of a socket has to hold it
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, MCP_INSPECTOR_SECRET_STORE: 'memory' };
  const start = (client: string, args: string[]): Promise<Said> =>
    new Promise((resolve) => {
      const options = { env, timeout: 50_000 };
      const parameters = [path.join(clients, client), '--format', 'json', ...args];
      const child = execFile(findNode22(), parameters, options, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), text: stdout + stderr, ...read(stdout), ...read(stderr) }),
      );
      child.stdin?.end();
    });
  const mcpdo = (...args: string[]) => start('mcpdo/build/mcp-bin.js', args);
  return {
    connect: (name, ...target) => mcpdo('--connection', name, 'connect', ...target),
    run: (name, ...command) => mcpdo('--connection', name, ...command),
    runOnce: (...command) => start('cli/build/index.js', command),
    async stop() {
      await mcpdo('daemon', 'stop');
      await rm(home, { recursive: true, force: true });
    },
  };
}

type Printed = CallToolResult & { elicitationPending?: Pending; error?: Said['error'] };

function read(text: string): Partial<Said> {
  const line = text.startsWith('{') ? text : '{}';
  const { elicitationPending: pending, error, ...result } = JSON.parse(line) as Printed;
  return { ...(pending && { pending }), ...(error && { error }), ...(result.content && { result }) };
}
