import type { StoredEvent } from '#audit/entries/rules/entry';
import { exportLog } from '#audit/exports/verbs';
import type { Engine } from '#platform/nodes/verbs/engine';

/** The entries of an export in their order, as one who has only its files reads them (C2SP tlog-tiles). */
export async function readExport(engine: Engine): Promise<StoredEvent[]> {
  const bundles: Uint8Array[] = [];
  await exportLog(engine, async (path, content) => {
    if (path.startsWith('tile/entries/')) bundles.push(content);
  });
  return bundles.flatMap(entriesIn);
}

/** Each entry stands after its length in two bytes. */
function entriesIn(bundle: Uint8Array): StoredEvent[] {
  const bytes = Buffer.from(bundle);
  const entries: StoredEvent[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + 2 + bytes.readUInt16BE(at);
    entries.push(JSON.parse(bytes.toString('utf8', at + 2, end)) as StoredEvent);
    at = end;
  }
  return entries;
}
