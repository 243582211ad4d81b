import type { StreamFormat } from '../../../streams/contract.ts';
import { createCefFile } from './cef-file.ts';
import type { ExportedEntry } from '../file/export-file.ts';
import { createOcsfFile } from '../ocsf.ts';

/** An entry on one line, with its place in the log, by which it can be proved later. */
export function streamLine(format: StreamFormat, origin: string, entry: ExportedEntry): string {
  switch (format) {
    case 'jsonl':
      return `{"log":${JSON.stringify(origin)},"index":${entry.index},"entry":${Buffer.from(entry.body).toString('utf8')}}`;
    case 'ocsf':
      return createOcsfFile(origin).entry(entry).trimEnd();
    case 'cef':
      return createCefFile().entry(entry).trimEnd();
  }
}
