import { writeFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { AssentryClient } from '#sdk/client/client';
import { compiled } from '../../support/compiled.ts';
import { commandOf, pipeTo, startGates } from '../http/peers.ts';
import { asOne } from '../merged/as-one.ts';
import { notesServer, startDirect, startWrapped, type NotesServer, type Pipe } from '../peers.ts';
import { newFolder } from '../../support/new-folder.ts';

/** The ways through the gateway to a server over stdio. */
export const ways = ['wrap', '/u/NAME/mcp', '/mcp'] as const;

/** The server that logs and has tasks on demand, with a ledger of its own. */
export const sessionServer = (): Pick<NotesServer, 'words' | 'done'> => serverOf('test/gateway/same/session-server.ts');

/** The server with everything that 2026-07-28 has, with a ledger of its own. */
export const requestServer = (): Pick<NotesServer, 'words' | 'done'> => serverOf('test/gateway/same/request-server.ts');

function serverOf(program: string): Pick<NotesServer, 'words' | 'done'> {
  const ledger = path.join(newFolder(), 'ledger');
  writeFileSync(ledger, '');
  return {
    words: [process.execPath, compiled(program), ledger],
    done: () => readFileSync(ledger, 'utf8').split('\n').slice(0, -1),
  };
}

interface Comparing<Result> {
  client: AssentryClient;
  script(pipe: Pipe): Promise<Result>;
  /** How a client over HTTP sends. */
  pipeAt?(url: string): Pipe;
}

/** Runs the script at this server: directly, or on its way through the gateway. */
export async function runBy<Result>(
  way: (typeof ways)[number] | null,
  { words }: Pick<NotesServer, 'words'>,
  { client, script, pipeAt = pipeTo }: Comparing<Result>,
): Promise<Result> {
  if (way === null) return script(await startDirect(words));
  if (way === 'wrap') return script(startWrapped(words, { client }));
  const upstreams = { notes: commandOf(words), other: commandOf(notesServer().words) };
  const gateway = await startGates({ upstreams, clientFor: () => client });
  const address = gateway.addresses['notes'] ?? '';
  try {
    return await script(way === '/mcp' ? asOne(pipeAt(gateway.merged), 'notes') : pipeAt(address));
  } finally {
    await gateway.close();
  }
}
