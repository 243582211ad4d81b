import type { FieldFault, FieldRule, ValueType } from '#platform/model/field-fault';
import { formatsIn } from '#platform/text/formats';
import { formatGermanReason } from './german-clauses.ts';

const { count, number } = formatsIn('de');

const characters = { one: 'Zeichen', other: 'Zeichen' };
const entries = { one: 'Eintrag', other: 'Einträge' };
const options = { one: 'Option', other: 'Optionen' };

/** What is wrong with the answer to a field, in German. */
export function formatFaultInGerman(fault: FieldFault): string {
  switch (fault.code) {
    case 'type':
      return `Erwartet wird ${types[fault.expected]}, nicht ${types[fault.received]}.`;
    case 'format':
      return formats[fault.format];
    case 'too-short':
      return `Mindestens ${count(fault.bound, characters)}.`;
    case 'too-long':
      return `Höchstens ${count(fault.bound, characters)}.`;
    case 'too-small':
      return `Muss mindestens ${number(fault.bound)} sein.`;
    case 'too-big':
      return `Darf höchstens ${number(fault.bound)} sein.`;
    case 'too-few-options':
      return `Wählen Sie mindestens ${count(fault.bound, options)}.`;
    case 'too-many-options':
      return `Wählen Sie höchstens ${count(fault.bound, options)}.`;
    case 'too-few-entries':
      return `Mindestens ${count(fault.bound, entries)}.`;
    case 'too-many-entries':
      return `Höchstens ${count(fault.bound, entries)}.`;
    case 'reason':
      return `Geben Sie eine Begründung an${formatGermanReason(fault)}.`;
    default:
      return plain[fault.code];
  }
}

/** What a field allows, in German. */
export function formatRuleInGerman(rule: FieldRule): string {
  if (!('least' in rule)) return rules[rule.code];
  const { code, least, most } = rule;
  const noun = code === 'characters' ? characters : code === 'entries' ? entries : options;
  const counted = (bound: number): string => (code === 'range' ? number(bound) : count(bound, noun));
  if (least !== null && most !== null) return `${number(least)} bis ${counted(most)}.`;
  return most === null ? `Mindestens ${counted(least ?? 0)}.` : `Höchstens ${counted(most)}.`;
}

const types: Record<ValueType, string> = {
  string: 'ein Text',
  number: 'eine Zahl',
  boolean: 'Ja oder Nein',
  object: 'ein Objekt',
  array: 'eine Liste',
  null: 'nichts',
  undefined: 'nichts',
  strings: 'eine Liste von Texten',
};

const formats = {
  email: 'Muss eine E-Mail-Adresse sein, zum Beispiel name@example.com.',
  uri: 'Muss eine vollständige Adresse sein, zum Beispiel https://example.com.',
  date: 'Muss ein gültiges Datum sein, zum Beispiel 2026-03-31.',
  'date-time': 'Muss Datum und Uhrzeit mit Zeitzone sein, zum Beispiel 2026-03-31T09:30:00Z.',
};

const plain = {
  required: 'Dieses Feld muss ausgefüllt werden.',
  'no-such-field': 'Dieses Feld gibt es im Formular nicht.',
  'no-content': 'Zu einem angenommenen Formular gehören die Antworten.',
  unkeepable: 'Enthält ein Zeichen, das nicht gespeichert werden kann. Tippen Sie den Text, statt ihn einzufügen.',
  'not-finite': 'Muss eine Zahl aus Ziffern und höchstens einem Punkt sein, zum Beispiel 1250.50.',
  'not-whole': 'Muss eine ganze Zahl sein.',
  'not-exact': 'Muss eine kleinere ganze Zahl sein.',
  'not-an-option': 'Wählen Sie eine der Optionen.',
  'not-options': 'Wählen Sie nur aus den Optionen.',
  repeated: 'Wählen Sie jede Option nur einmal.',
};

const rules = {
  email: 'Eine E-Mail-Adresse, zum Beispiel name@example.com.',
  uri: 'Eine vollständige Adresse, zum Beispiel https://example.com.',
  utc: 'Die Uhrzeit ist UTC.',
  lines: 'Ein Eintrag pro Zeile.',
};
