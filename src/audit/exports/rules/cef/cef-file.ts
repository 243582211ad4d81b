import { factsOf, type EntryFacts } from '../facts.ts';
import type { ExportFile } from '../file/export-file.ts';

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
