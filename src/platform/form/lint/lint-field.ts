import { hasHiddenCharacters } from '../../text/hidden-characters/hidden-characters.ts';
import type { FieldError } from '../../model/problem/problem.ts';
import { formatFault } from '#messages/english-faults';
import { countCharacters, isBlank } from '../schema/characters.ts';
import { faultOfField } from '../answer/field-value.ts';
import { forbiddenSentence, remove } from '../schema/forbidden-keywords.ts';
import { isRecord } from '../schema/json.ts';
import { limits } from '../schema/limits.ts';
import { lintEnum, lintItems, lintTitledOptions } from './lint-choices.ts';
import { errorsAt, hiddenSentence, lintLabels } from './lint-labels.ts';
import { lintBounds, lintFormat, lintItemCounts, lintLengths } from './lint-ranges.ts';
import type { ResultFieldSchema } from '../schema/schema.ts';
import { looksSecret } from './secret-names.ts';

type Path = FieldError['path'];
type Keywords = Record<string, unknown>;

/** Checks one property against the subset: name, kind, keywords, what it asks for, then its default. */
export const lintField = (name: string, field: unknown): FieldError[] => lintProperty(name, field, shapeOf, true);

/** Like `lintField`, but a list may hold any texts, and secrets are allowed: results pass through no client. */
export const lintResultField = (name: string, field: unknown): FieldError[] =>
  lintProperty(name, field, (keywords) => (isListOfTexts(keywords) ? 'textList' : shapeOf(keywords)), false);

function lintProperty(
  name: string,
  field: unknown,
  findShape: (field: Keywords) => ShapeName | undefined,
  isShownByClients: boolean,
): FieldError[] {
  const path = ['properties', name];
  const nameErrors = errorsAt(path, faultOfName(name));
  if (!isRecord(field))
    return [...nameErrors, { path, message: 'Give the field as an object such as { "type": "string" }.' }];
  const shape = findShape(field);
  const errors = [
    ...nameErrors,
    ...(shape === undefined ? lintShapeless(path, field) : lintShape(path, field, shapes[shape])),
    ...lintLabels(path, field),
    ...(isShownByClients && (shape === undefined || isTyped[shape]) ? lintSecrecy(path, name, field) : []),
  ];
  return errors.length > 0 ? errors : lintDefault(path, field);
}

const unusableNames = new Set(['__proto__', 'constructor', 'prototype']);

function faultOfName(name: string): string | undefined {
  if (isBlank(name)) return 'Give the field a name: it is blank.';
  if (unusableNames.has(name)) return 'Choose another name: this one has a meaning in JavaScript.';
  if (countCharacters(name) > limits.nameLength) return `Shorten the name to at most ${limits.nameLength} characters.`;
  return hasHiddenCharacters(name) ? hiddenSentence : undefined;
}

interface Shape {
  what: string;
  keywords: readonly string[];
  lint: (path: Path, field: Keywords) => FieldError[];
}

const common = ['type', 'title', 'description', 'default'];

const shapes = {
  text: {
    what: 'a text field',
    keywords: [...common, 'minLength', 'maxLength', 'format'],
    lint: (path, field) => [...lintFormat(path, field), ...lintLengths(path, field)],
  },
  number: { what: 'a number field', keywords: [...common, 'minimum', 'maximum'], lint: lintBounds },
  boolean: { what: 'a yes-or-no field', keywords: common, lint: () => [] },
  untitledSelect: { what: 'a choice', keywords: [...common, 'enum', 'enumNames'], lint: lintEnum },
  titledSelect: {
    what: 'a choice with titles',
    keywords: [...common, 'oneOf'],
    lint: (path, field) => lintTitledOptions([...path, 'oneOf'], field['oneOf']),
  },
  multiSelect: {
    what: 'a list of choices',
    keywords: [...common, 'items', 'minItems', 'maxItems'],
    lint: (path, field) => [...lintItems([...path, 'items'], field['items']), ...lintItemCounts(path, field)],
  },
  textList: {
    what: 'a list of texts',
    keywords: [...common, 'items', 'minItems', 'maxItems'],
    lint: lintItemCounts,
  },
} satisfies Record<string, Shape>;

type ShapeName = keyof typeof shapes;

/** Options are written by the asker, so choosing one reveals no secret; typing could. */
const isTyped: Record<ShapeName, boolean> = {
  text: true,
  number: true,
  boolean: false,
  untitledSelect: false,
  titledSelect: false,
  multiSelect: false,
  textList: true,
};

const isListOfTexts = ({ type, items }: Keywords): boolean =>
  type === 'array' && isRecord(items) && items['type'] === 'string' && Object.keys(items).length === 1;

function shapeOf(field: Keywords): ShapeName | undefined {
  const { type } = field;
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean') return 'boolean';
  if (type === 'array') return 'multiSelect';
  if (type !== 'string') return undefined;
  if (Object.hasOwn(field, 'oneOf') && !Object.hasOwn(field, 'enum')) return 'titledSelect';
  return Object.hasOwn(field, 'enum') ? 'untitledSelect' : 'text';
}

const lintShape = (path: Path, field: Keywords, { what, keywords, lint }: Shape): FieldError[] => [
  ...Object.keys(field)
    .filter((keyword) => !keywords.includes(keyword))
    .map((keyword) => ({ path: [...path, keyword], message: misplacedSentence(keyword, what) })),
  ...lint(path, field),
];

const shapeKeywords = new Set(Object.values(shapes).flatMap(({ keywords }) => keywords));

const misplacedSentence = (keyword: string, what: string): string =>
  shapeKeywords.has(keyword) ? remove(`${what} does not have it`)(keyword) : forbiddenSentence(keyword);

const lintShapeless = (path: Path, field: Keywords): FieldError[] => [
  { path: [...path, 'type'], message: faultOfType(field['type']) },
  ...Object.keys(field)
    .filter((keyword) => !shapeKeywords.has(keyword))
    .map((keyword) => ({ path: [...path, keyword], message: forbiddenSentence(keyword) })),
];

function faultOfType(type: unknown): string {
  if (type === 'object') return 'Replace "type": "object" with fields at the root of the form: forms are flat.';
  if (Array.isArray(type)) return 'Give "type" as one type: a field may stay empty if "required" does not name it.';
  return 'Give "type" as "string", "number", "integer", "boolean", or "array" for a list of choices.';
}

function lintSecrecy(path: Path, name: string, field: Keywords): FieldError[] {
  if (looksSecret(name)) return [{ path, message: secretSentence }];
  const { title } = field;
  return typeof title === 'string' && looksSecret(title) ? [{ path: [...path, 'title'], message: secretSentence }] : [];
}

const secretSentence =
  'Use URL mode for a secret: a form must never ask for one, because its answer passes through the client.';

/** Called only if the rest of the field is valid. */
function lintDefault(path: Path, field: Keywords): FieldError[] {
  const value = field['default'];
  if (value === undefined) return [];
  return errorsAt([...path, 'default'], faultOfDefault(field as unknown as ResultFieldSchema, value));
}

function faultOfDefault(field: ResultFieldSchema, value: unknown): string | undefined {
  if (typeof value === 'string' && countCharacters(value) > limits.defaultLength)
    return `Shorten the default to at most ${limits.defaultLength} characters.`;
  const fault = faultOfField(field, value);
  return fault === undefined
    ? undefined
    : `Change the default, which breaks the field's own rule: ${formatFault(fault)}`;
}
