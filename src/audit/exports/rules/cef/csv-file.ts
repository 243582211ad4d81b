import { csvLine } from '../file/csv.ts';
import { factsOf } from '../facts.ts';
import type { ExportFile } from '../file/export-file.ts';

const columns = [
  'place',
  'at',
  'type',
  'actor',
  'person',
  'person_name',
  'request',
  'server',
  'tool',
  'policy',
  'outcome',
  'digest',
  'entry',
];

/** A table with the usual facts in columns of their own, and the whole entry in the last. */
export const createCsvFile = (): ExportFile => ({
  begin: () => csvLine(columns),
  entry(entry) {
    const { event, index, person, personName, request, server, tool, policy, outcome, digest } = factsOf(entry);
    const actor = [String(index), event.at, event.type, event.actor.kind, person, personName];
    const body = Buffer.from(entry.body).toString('utf8');
    return csvLine([...actor, request, server, tool, policy, outcome, digest, body]);
  },
  end: () => '',
});
