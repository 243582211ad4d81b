import type { UpstreamLine } from '../frames/read-upstream.ts';
import { isFrameId } from '../frames/frame.ts';
import type { OwnFiles } from './own-files.ts';

/** The same message, unless it carries a secret of Assentry: then a fault, by which no one gets it. */
export function withholdSecrets(read: UpstreamLine, ownFiles: OwnFiles): UpstreamLine {
  if ('fault' in read) return read;
  const name = ownFiles.findSecret(read.frame);
  if (name === null) return read;
  const { id, method } = read.frame;
  return { fault: `it carries a secret of Assentry (${name})`, id: method === undefined && isFrameId(id) ? id : null };
}
