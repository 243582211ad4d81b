import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AssentryClient } from '../../../src/client/client.ts';
import { compiled } from '../../support/compiled.ts';
import { commandOf, pipeTo, startGates } from '../http/peers.ts';
import { asOne } from '../merged/as-one.ts';
import { newFolder, notesServer, startDirect, startWrapped, type NotesServer, type Pipe } from '../peers.ts';
import { readFileSync } from 'node:fs';

/** The ways through the gateway to a server over stdio. */
export const ways = ['wrap', '/u/NAME/mcp', '/mcp'] as const;

/** The server that logs and has tasks on demand, with a ledger of its own. */
export function sessionServer(): NotesServer {
  const ledger = path.join(newFolder(), 'ledger');
  writeFileSync(ledger, '');
  return {
    words: [process.execPath, compiled('test/gateway/same/session-server.ts'), ledger],
    done: () => readFileSync(ledger, 'utf8').split('\n').slice(0, -1),
  };
}

/** Runs the script at this server: directly, or on its way through the gateway. */
export async function runBy<Result>(
  way: (typeof ways)[number] | null,
  { words }: NotesServer,
  { client, script }: { client: AssentryClient; script: (pipe: Pipe) => Promise<Result> },
): Promise<Result> {
  if (way === null) return script(await startDirect(words));
  if (way === 'wrap') return script(startWrapped(words, { client }));
  const upstreams = { notes: commandOf(words), other: commandOf(notesServer().words) };
  const gateway = await startGates({ upstreams, clientFor: () => client });
  const address = gateway.addresses['notes'] ?? '';
  try {
    return await script(way === '/mcp' ? asOne(pipeTo(gateway.merged), 'notes') : pipeTo(address));
  } finally {
    await gateway.close();
  }
}
