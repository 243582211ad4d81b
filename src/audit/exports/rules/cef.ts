import { csvLine, type ExportFile, type ExportedEntry } from './file.ts';
import { factsOf, type EntryFacts } from './facts.ts';
import type { StreamFormat } from '../../streams/contract.ts';
import { createOcsfFile } from './ocsf.ts';

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

/** Lines in the Common Event Format, version 0, for tools that watch logs. */
export const createCefFile = (): ExportFile => ({
  begin: () => '',
  entry: (entry) => cefLine(factsOf(entry)),
  end: () => '',
});

function cefLine(facts: EntryFacts): string {
  const { event } = facts;
  const head = [
    'Assentry',
    'Assentry',
    '1',
    event.type,
    event.type.replaceAll(/[.-]/g, ' '),
    String(severityOf(facts)),
  ];
  const extension = fieldsOf(facts).flatMap(([key, value]) => (value === '' ? [] : `${key}=${escapeValue(value)}`));
  return `CEF:0|${head.map(escapeHead).join('|')}|${extension.join(' ')}\n`;
}

const fieldsOf = (facts: EntryFacts): [key: string, value: string][] => [
  ['rt', String(facts.at)],
  ['externalId', facts.event.id],
  ['suid', facts.person],
  ['suser', facts.personName],
  ['duid', facts.subject],
  ['duser', facts.subjectName],
  ['outcome', facts.isRefusal ? 'refused' : facts.outcome],
  ['reason', facts.what],
  ['cn1Label', 'place'],
  ['cn1', String(facts.index)],
  ...custom(1, 'request', facts.request),
  ...custom(2, 'server', facts.server),
  ...custom(3, 'tool', facts.tool),
  ...custom(4, 'policy', facts.policy),
  ...custom(5, 'digest', facts.digest),
  ...custom(6, 'actor', facts.event.actor.kind),
];

const custom = (at: number, label: string, value: string): [string, string][] =>
  value === ''
    ? []
    : [
        [`cs${at}Label`, label],
        [`cs${at}`, value],
      ];

/** From 0 to 10: what was refused, what went past a policy, and what stopped calls, stands out. */
function severityOf({ event, isRefusal }: EntryFacts): number {
  if (event.type === 'elicitation.break-glass') return 8;
  return isRefusal || event.type === 'stop.made' ? 6 : 3;
}

/** In the head a pipe ends a field, and a line break has no form. */
const escapeHead = (text: string): string => text.replaceAll(/[\\|]/g, '\\$&').replaceAll(/[\r\n]+/g, ' ');

/** In a value an equals sign would begin another key. */
const escapeValue = (text: string): string =>
  text.replaceAll(/[\\=]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
