import type { FieldFault, FieldRule, ValueType } from '#platform/model/field-fault';
import { formatsIn } from '#platform/text/formats';
import { formatFrenchReason } from './french-clauses.ts';

const { count, number } = formatsIn('fr');

const characters = { one: 'caractère', other: 'caractères' };
const entries = { one: 'entrée', other: 'entrées' };
const options = { one: 'option', other: 'options' };

/** What is wrong with the answer to a field, in French. */
export function formatFaultInFrench(fault: FieldFault): string {
  switch (fault.code) {
    case 'type':
      return `Il faut ${types[fault.expected]}, et non ${types[fault.received]}.`;
    case 'format':
      return formats[fault.format];
    case 'too-short':
      return `Au moins ${count(fault.bound, characters)}.`;
    case 'too-long':
      return `Au plus ${count(fault.bound, characters)}.`;
    case 'too-small':
      return `Doit valoir au moins ${number(fault.bound)}.`;
    case 'too-big':
      return `Doit valoir au plus ${number(fault.bound)}.`;
    case 'too-few-options':
      return `Choisissez au moins ${count(fault.bound, options)}.`;
    case 'too-many-options':
      return `Choisissez au plus ${count(fault.bound, options)}.`;
    case 'too-few-entries':
      return `Au moins ${count(fault.bound, entries)}.`;
    case 'too-many-entries':
      return `Au plus ${count(fault.bound, entries)}.`;
    case 'reason':
      return `Donnez un motif${formatFrenchReason(fault)}.`;
    default:
      return plain[fault.code];
  }
}

/** What a field allows, in French. */
export function formatRuleInFrench(rule: FieldRule): string {
  if (!('least' in rule)) return rules[rule.code];
  const { code, least, most } = rule;
  const noun = code === 'characters' ? characters : code === 'entries' ? entries : options;
  const counted = (bound: number): string => (code === 'range' ? number(bound) : count(bound, noun));
  if (least !== null && most !== null) return `De ${number(least)} à ${counted(most)}.`;
  return most === null ? `Au moins ${counted(least ?? 0)}.` : `Au plus ${counted(most)}.`;
}

const types: Record<ValueType, string> = {
  string: 'un texte',
  number: 'un nombre',
  boolean: 'oui ou non',
  object: 'un objet',
  array: 'une liste',
  null: 'rien',
  undefined: 'rien',
  strings: 'une liste de textes',
};

const formats = {
  email: 'Doit être une adresse e-mail, par exemple name@example.com.',
  uri: 'Doit être une adresse complète, par exemple https://example.com.',
  date: 'Doit être une date qui existe, par exemple 2026-03-31.',
  'date-time': 'Doit être une date et une heure avec son décalage, par exemple 2026-03-31T09:30:00Z.',
};

const plain = {
  required: 'Ce champ est obligatoire.',
  'no-such-field': 'Ce champ n’existe pas dans le formulaire.',
  'no-content': 'Remplissez le formulaire : l’acceptation a besoin de ses réponses.',
  unkeepable: 'Tapez ce texte au lieu de le coller : il contient un caractère qui ne peut pas être enregistré.',
  'not-finite': 'Doit être un nombre avec des chiffres et un point au plus, par exemple 1250.50.',
  'not-whole': 'Doit être un nombre entier.',
  'not-exact': 'Doit être un nombre entier plus petit.',
  'not-an-option': 'Choisissez l’une des options.',
  'not-options': 'Choisissez seulement parmi les options.',
  repeated: 'Choisissez chaque option une seule fois.',
};

const rules = {
  email: 'Une adresse e-mail, par exemple name@example.com.',
  uri: 'Une adresse complète, par exemple https://example.com.',
  utc: 'L’heure est en UTC.',
  lines: 'Une entrée par ligne.',
};
