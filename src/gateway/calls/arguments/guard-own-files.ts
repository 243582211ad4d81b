import type { JudgedFrame } from '../../frames/mcp-words/judge-frame.ts';
import { requesterOf, type Received, type Serving } from './received.ts';
import { assertNotOwnPath, warningOf } from '../own-files.ts';

/**
 * Throws if what is to be forwarded for this call leads into Assentry's own files; the operator and Assentry are told.
 * What has waited is looked at again: people may have edited it, and links may lead elsewhere by now.
 */
export function guardOwnFiles(
  { ownFiles, refusals, server, warn }: Serving,
  received: Received,
  frame: JudgedFrame = received.frame,
): void {
  assertNotOwnPath(ownFiles, frame, (call) => {
    warn(warningOf(call));
    refusals.note({ ...call, server, requester: requesterOf(received) });
  });
}
