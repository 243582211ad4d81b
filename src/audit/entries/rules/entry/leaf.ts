import { sha256 } from '#platform/crypto/digest/digest';

/** The hash of one entry in the log's Merkle tree (RFC 6962 section 2.1): SHA-256 over a zero byte and the entry. */
export const leafHash = (entry: Uint8Array): Buffer => sha256(Buffer.concat([leafPrefix, entry]));

const leafPrefix = Buffer.of(0);
