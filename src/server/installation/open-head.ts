import { keptHead, type KeptHead } from '#core/audit/checkpoint';
import { refuseVariable } from '../config/config.ts';
import type { HeadFile } from '../config/head-file.ts';
import type { Engine } from '../engine/engine.ts';
import { checkHead } from '../engine/log/check-head.ts';
import { Problem } from '#protocol/model/problem';

/**
 * The head from which this node starts. Problem `proof-invalid` if the log in the database does not continue the head
 * in the file; it says what to do.
 */
export async function openHead(
  engine: Pick<Engine, 'merkleLog' | 'ring'>,
  file: HeadFile | null,
): Promise<KeptHead | null> {
  const head = await checkHead(engine, await readKept(file)).catch((error: unknown) => {
    if (!(error instanceof Problem && error.code === 'proof-invalid')) throw error;
    throw new Problem('proof-invalid', { detail: `${formatWhatToDo(file)} ${error.message}`, cause: error });
  });
  if (head) await file?.write(head.note);
  return head;
}

async function readKept(file: HeadFile | null): Promise<KeptHead | null> {
  const text = (await file?.read()) ?? null;
  if (file === null || text === null) return null;
  const head = keptHead(text);
  if (head) return head;
  throw refuseVariable('ASSENTRY_LOG_HEAD', `${file.path}, which holds no head of a log`, 'put it back as it was');
}

const formatWhatToDo = (file: HeadFile | null): string =>
  file === null
    ? 'Run "assentry audit verify", and put back a backup of the database in which the log is whole.'
    : `Put back a backup of the database that has everything up to the head in ${file.path}. If you put back an older one on purpose, move that file to a safe place and start again: it proves what is lost.`;
