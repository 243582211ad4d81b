import { keptHead, type KeptHead } from '../rules/checkpoint.ts';
import { refuseVariable } from '#platform/config/config';
import { latestCopy, type HeadFile } from '#platform/config/heads';
import type { Engine } from '#platform/nodes/verbs/engine';
import { checkHead } from '../verbs.ts';
import { Problem } from '#platform/model/problem';
import { chooseHeadFile, type OwnerOptions } from '#server/installation';

/** A head of the log that is kept outside of the database. */
interface KeptPlace {
  path: string;
  head: KeptHead;
  /** Remedy before a log that does not continue it is used on purpose. */
  remedy: string;
}

/** The file and the latest of the copies, if there are any. Read them before the log: nodes go on writing them. */
export async function readKeptPlaces(options: OwnerOptions): Promise<KeptPlace[]> {
  const file = chooseHeadFile(options);
  const [kept, copy] = await Promise.all([
    readKept(file),
    options.logCopies ? latestCopy(options.logCopies, keptHead) : null,
  ]);
  return [
    ...(file && kept ? [{ path: file.path, head: kept, remedy: 'move that file to a safe place' }] : []),
    ...(copy ? [{ ...copy, remedy: 'give another directory as ASSENTRY_LOG_COPIES, keep this one' }] : []),
  ];
}

/**
 * The head from which this node starts. Problem `proof-invalid` if the log in the database does not continue a head
 * that is kept outside of it; it says what to do.
 */
export async function openHead(
  engine: Pick<Engine, 'merkleLog' | 'ring'>,
  file: HeadFile | null,
  places: KeptPlace[],
): Promise<KeptHead | null> {
  const check = (place: KeptPlace | null): Promise<KeptHead | null> =>
    checkHead(engine, place?.head ?? null).catch((error: unknown) => {
      if (!(error instanceof Problem && error.code === 'proof-invalid')) throw error;
      throw new Problem('proof-invalid', { detail: `${formatWhatToDo(place)} ${error.message}`, cause: error });
    });
  for (const place of places) await check(place);
  const head = await check(null);
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

const formatWhatToDo = (place: KeptPlace | null): string =>
  place === null
    ? 'Run "assentry audit verify", and put back a backup of the database in which the log is whole.'
    : `Put back a backup of the database that has everything up to the head in ${place.path}. If you put back an older one on purpose, ${place.remedy} and start again: it proves what is lost.`;
