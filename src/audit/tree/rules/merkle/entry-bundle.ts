import { Problem } from '#platform/model/problem/problem';

/** Entries as public tools read them (C2SP tlog-tiles): each preceded by its length in two bytes. */
export const entryBundle = (entries: Uint8Array[]): Buffer =>
  Buffer.concat(entries.flatMap((entry) => [lengthOf(entry), entry]));

function lengthOf({ length }: Uint8Array): Buffer {
  if (length > 0xffff) throw new Problem('internal', { cause: `an entry of ${length} bytes` });
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(length);
  return bytes;
}
