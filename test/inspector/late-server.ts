// A server over stdio, run by its command. Each call that reaches it is a line of the file `calls` in the folder, and the
// answers to calls wait until there is a file `go`: so a test can kill anything between a deed and its answer.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { until } from '../support/poll.ts';

interface Message {
  id?: string | number;
  method?: string;
  params?: { arguments?: object };
}

const [folder = '', command = '', ...args] = process.argv.slice(2);
const note = (file: string, line: string): void => appendFileSync(path.join(folder, file), `${line}\n`);
const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
note('processes', `${process.pid}\n${server.pid ?? ''}`);
server.on('exit', (code) => process.exit(code ?? 1));

const calls = new Set<unknown>();
const toServer = createInterface({ input: process.stdin });
toServer.on('line', (line) => {
  const { id, method, params } = JSON.parse(line) as Message;
  if (method === 'tools/call') {
    calls.add(id);
    note('calls', JSON.stringify(params?.arguments));
  }
  server.stdin.write(`${line}\n`);
});
toServer.on('close', () => server.stdin.end());

createInterface({ input: server.stdout }).on('line', (line) => void answer(line));

async function answer(line: string): Promise<void> {
  const isAnswer = calls.has((JSON.parse(line) as Message).id);
  if (isAnswer) await until(() => existsSync(path.join(folder, 'go')));
  process.stdout.write(`${line}\n`);
}
