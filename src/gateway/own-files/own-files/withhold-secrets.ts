import type { UpstreamLine } from '../../frames/reading/read-upstream.ts';
import { isFrameId, type Frame } from '../../frames/frame/frame.ts';
import type { OwnFiles } from './own-files.ts';

/** The same message, unless it carries a secret of Assentry: then a fault, by which no one gets it. */
export const withholdSecrets = (read: UpstreamLine, ownFiles: OwnFiles): UpstreamLine =>
  'fault' in read ? read : without(read, ownFiles.findSecret(read.frame));

/** The same, with turns for everything else in between, if it is long. */
export const withholdSecretsInTurns = async (read: UpstreamLine, ownFiles: OwnFiles): Promise<UpstreamLine> =>
  'fault' in read ? read : without(read, await ownFiles.findSecretInTurns(read.frame));

function without(read: Extract<UpstreamLine, { frame: Frame }>, name: string | null): UpstreamLine {
  if (name === null) return read;
  const { id, method } = read.frame;
  return { fault: `it carries a secret of Assentry (${name})`, id: method === undefined && isFrameId(id) ? id : null };
}
