import { createHash } from 'node:crypto';

/** The hash of one entry in the log's Merkle tree (RFC 6962 section 2.1): SHA-256 over a zero byte and the entry. */
export const leafHash = (entry: Uint8Array): Buffer => createHash('sha256').update(Buffer.of(0)).update(entry).digest();
