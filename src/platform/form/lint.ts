import type { FieldError } from '../model/problem.ts';
import {
  isRecord,
  type StringFormat,
  stringFormats,
  formatLengths,
  countCharacters,
  hasHiddenCharactersExceptBreaks,
  isBlank,
  limits,
  type Advice,
  forbiddenSentence,
  move,
  remove,
  type ResultFieldSchema,
  member,
  toJsonText,
  type FormSchema,
  type ResultSchema,
} from './schema.ts';
import { hasHiddenCharacters } from '../text/hidden-characters.ts';
import { formatFault } from '#messages/english-faults';
import { faultOfField } from './answer.ts';

function lintFormat(path: Path, { format }: Keywords): FieldError[] {
  if (format === undefined || isFormat(format)) return [];
  return [{ path: [...path, 'format'], message: `Give "format" as one of ${stringFormats.join(', ')}.` }];
}

const isFormat = (format: unknown): format is StringFormat => stringFormats.some((name) => name === format);

/** Requires that both lengths are counts, in order, and leave room for the format. */
function lintLengths(path: Path, field: Keywords): FieldError[] {
  const { minLength: least, maxLength: most, format } = field;
  const faults = [...lintCount(path, 'minLength', least), ...lintCount(path, 'maxLength', most)];
  if (faults.length > 0) return faults;
  if (isOver(least, most))
    return [{ path: [...path, 'minLength'], message: 'Lower "minLength": it is larger than "maxLength".' }];
  return isFormat(format) ? lintFormatLengths(path, field, format) : [];
}

function lintFormatLengths(path: Path, { minLength, maxLength }: Keywords, format: StringFormat): FieldError[] {
  const { shortest, longest } = formatLengths[format];
  const tooLong = `Lower "minLength": no ${format} is that long, so no one could answer.`;
  const tooShort = `Raise "maxLength": no ${format} is that short, so no one could answer.`;
  return [
    ...errorsAt([...path, 'minLength'], isOver(minLength, longest) ? tooLong : undefined),
    ...errorsAt([...path, 'maxLength'], isOver(shortest, maxLength) ? tooShort : undefined),
  ];
}

/** Requires that both bounds are numbers, in order, with an integer between them for an integer field. */
function lintBounds(path: Path, field: Keywords): FieldError[] {
  const { type, minimum: least, maximum: most } = field;
  const faults = [...lintNumber(path, 'minimum', least), ...lintNumber(path, 'maximum', most)];
  if (faults.length > 0) return faults;
  if (isOver(least, most))
    return [{ path: [...path, 'minimum'], message: 'Lower "minimum": it is larger than "maximum".' }];
  if (type !== 'integer' || hasIntegerBetween(least, most)) return [];
  const at = least === undefined ? 'maximum' : 'minimum';
  return [{ path: [...path, at], message: `Change "${at}": no integer is within the bounds, so no one could answer.` }];
}

// Only integers that JSON readers keep exactly are allowed.
function hasIntegerBetween(least: unknown, most: unknown): boolean {
  const first =
    typeof least === 'number' ? Math.max(Math.ceil(least), Number.MIN_SAFE_INTEGER) : Number.MIN_SAFE_INTEGER;
  const last = typeof most === 'number' ? Math.min(Math.floor(most), Number.MAX_SAFE_INTEGER) : Number.MAX_SAFE_INTEGER;
  return first <= last;
}

/** Requires that both counts are counts, in order, with enough options. */
function lintItemCounts(path: Path, field: Keywords): FieldError[] {
  const { minItems: least, maxItems: most } = field;
  const faults = [...lintCount(path, 'minItems', least), ...lintCount(path, 'maxItems', most)];
  if (faults.length > 0) return faults;
  if (isOver(least, most))
    return [{ path: [...path, 'minItems'], message: 'Lower "minItems": it is larger than "maxItems".' }];
  const options = countOptions(field['items']);
  if (!isOver(least, options)) return [];
  return [
    {
      path: [...path, 'minItems'],
      message: `Lower "minItems": there are only ${options} options, so no one could answer.`,
    },
  ];
}

function countOptions(items: unknown): number | undefined {
  if (!isRecord(items)) return undefined;
  const options = items['enum'] ?? items['anyOf'];
  return Array.isArray(options) ? options.length : undefined;
}

const isOver = (least: unknown, most: unknown): boolean =>
  typeof least === 'number' && typeof most === 'number' && least > most;

const lintCount = (path: Path, keyword: string, count: unknown): FieldError[] =>
  count === undefined || (Number.isSafeInteger(count) && Number(count) >= 0)
    ? []
    : [{ path: [...path, keyword], message: `Give "${keyword}" as a whole number, 0 or more.` }];

const lintNumber = (path: Path, keyword: string, bound: unknown): FieldError[] =>
  bound === undefined || Number.isFinite(bound)
    ? []
    : [{ path: [...path, keyword], message: `Give "${keyword}" as a number.` }];

/** Title and description of a form or a field: text a person can read, on one line and in paragraphs. */
function lintLabels(path: FieldError['path'], labelled: Record<string, unknown>): FieldError[] {
  const { title, description } = labelled;
  return [
    ...(title === undefined ? [] : errorsAt([...path, 'title'], faultOfTitle(title))),
    ...(description === undefined ? [] : errorsAt([...path, 'description'], faultOfDescription(description))),
  ];
}

/** None or one error, as rules report it. */
const errorsAt = (path: FieldError['path'], message: string | undefined): FieldError[] =>
  message === undefined ? [] : [{ path, message }];

/** The rules of every label that is read on one line: titles of fields and of options. */
function faultOfTitle(title: unknown): string | undefined {
  if (typeof title !== 'string') return 'Give the title as a string.';
  if (isBlank(title)) return 'Give the title some text: it is blank.';
  if (countCharacters(title) > limits.titleLength)
    return `Shorten the title to at most ${limits.titleLength} characters.`;
  return hasHiddenCharacters(title) ? hiddenSentence : undefined;
}

/**
 * MCP clients show labels unchanged, so hidden characters would make people read something other than the stored text.
 */
const hiddenSentence = 'Remove invisible characters: controls, direction marks, and spaces other than U+0020.';

function faultOfDescription(description: unknown): string | undefined {
  if (typeof description !== 'string') return 'Give the description as a string.';
  if (countCharacters(description) > limits.descriptionLength)
    return `Shorten the description to at most ${limits.descriptionLength} characters.`;
  return hasHiddenCharactersExceptBreaks(description) ? hiddenSentence : undefined;
}

/** Checks `enum` of a single choice, with its `enumNames` if it has the older form of titles. */
function lintEnum(path: Path, { enum: values, enumNames }: Keywords): FieldError[] {
  const errors = lintValues([...path, 'enum'], values);
  return enumNames === undefined ? errors : [...errors, ...lintEnumNames([...path, 'enumNames'], enumNames, values)];
}

function lintEnumNames(path: Path, names: unknown, values: unknown): FieldError[] {
  if (!Array.isArray(names)) return [{ path, message: 'Give "enumNames" as a list of titles.' }];
  const countFault = faultOfCount('enumNames', names.length);
  if (countFault !== undefined) return [{ path, message: countFault }];
  if (Array.isArray(values) && names.length !== values.length)
    return [{ path, message: `Give "enumNames" one title for each of the ${values.length} options.` }];
  return names.flatMap((name: unknown, index) => lintOptionTitle([...path, index], name, names.indexOf(name) < index));
}

/** Checks `oneOf` of a single choice or `anyOf` of a list of choices: a value and a title each. */
function lintTitledOptions(path: Path, options: unknown): FieldError[] {
  const keyword = String(path.at(-1));
  if (!Array.isArray(options)) return [{ path, message: `Give "${keyword}" as a list of { "const": …, "title": … }.` }];
  const countFault = faultOfCount(keyword, options.length);
  if (countFault !== undefined) return [{ path, message: countFault }];
  const values: unknown[] = options.map((option: unknown) => (isRecord(option) ? option['const'] : undefined));
  const titles: unknown[] = options.map((option: unknown) => (isRecord(option) ? option['title'] : undefined));
  return options.flatMap((option: unknown, index) => {
    const at = [...path, index];
    if (!isRecord(option)) return [{ path: at, message: 'Give each option as { "const": …, "title": … }.' }];
    return [
      ...lintKeywords(at, option, ['const', 'title']),
      ...lintOptionValue([...at, 'const'], option['const'], values.indexOf(option['const']) < index),
      ...lintOptionTitle([...at, 'title'], option['title'], titles.indexOf(option['title']) < index),
    ];
  });
}

/** Checks `items` of a list of choices. */
function lintItems(path: Path, items: unknown): FieldError[] {
  if (!isRecord(items)) return [{ path, message: onlyChoices }];
  if (Object.hasOwn(items, 'anyOf'))
    return [...lintKeywords(path, items, ['anyOf']), ...lintTitledOptions([...path, 'anyOf'], items['anyOf'])];
  if (!Object.hasOwn(items, 'enum')) return [{ path, message: onlyChoices }];
  return [
    ...lintKeywords(path, items, ['type', 'enum']),
    ...errorsAt([...path, 'type'], items['type'] === 'string' ? undefined : 'Give "type" as "string".'),
    ...lintValues([...path, 'enum'], items['enum']),
  ];
}

const onlyChoices =
  'Give "items" as { "type": "string", "enum": […] } or { "anyOf": [{ "const": …, "title": … }] }: lists can only hold choices.';

const lintKeywords = (path: Path, schema: Keywords, allowed: string[]): FieldError[] =>
  Object.keys(schema)
    .filter((keyword) => !allowed.includes(keyword))
    .map((keyword) => ({ path: [...path, keyword], message: misplacedChoice(keyword) }));

const misplacedChoice = (keyword: string): string => misplaced.get(keyword)?.(keyword) ?? forbiddenSentence(keyword);

const misplaced = new Map<string, Advice>([
  ['type', remove('an option is a "const" with a "title"')],
  ['enum', remove('an option is a "const" with a "title"')],
  ['description', move('into "title"', 'clients show only the titles of options')],
]);

function lintValues(path: Path, values: unknown): FieldError[] {
  if (!Array.isArray(values)) return [{ path, message: 'Give "enum" as a list of strings.' }];
  const countFault = faultOfCount('enum', values.length);
  if (countFault !== undefined) return [{ path, message: countFault }];
  return values.flatMap((value: unknown, index) =>
    lintOptionValue([...path, index], value, values.indexOf(value) < index),
  );
}

const faultOfCount = (keyword: string, count: number): string | undefined =>
  count >= 1 && count <= limits.options
    ? undefined
    : `Give "${keyword}" at least 1 and at most ${limits.options} options: it has ${count}.`;

const lintOptionValue = (path: Path, value: unknown, isRepeated: boolean): FieldError[] =>
  errorsAt(path, faultOfValue(value) ?? (isRepeated ? 'Remove this option: it is already in the list.' : undefined));

function faultOfValue(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'Give the option as a string.';
  // To a form an empty value means that nothing was chosen.
  if (value === '') return 'Give the option a value: it is empty.';
  if (countCharacters(value) > limits.optionLength)
    return `Shorten the option to at most ${limits.optionLength} characters.`;
  return hasHiddenCharacters(value) ? hiddenSentence : undefined;
}

// A person chooses by the titles alone.
const lintOptionTitle = (path: Path, title: unknown, isRepeated: boolean): FieldError[] =>
  errorsAt(
    path,
    faultOfTitle(title) ?? (isRepeated ? 'Change the title: another option has the same one.' : undefined),
  );

/**
 * Whether a label asks for something that must not travel through an MCP client: credentials, keys, card data,
 * identity numbers used as credentials, one-time codes. Whole words only, however they are joined:
 * `apiKey`, `api_key`, `API-KEY` and `apikey` are alike, and `tokenizer` or `secretary` are something else.
 */
export function looksSecret(text: string): boolean {
  const words = wordsOf(text);
  const isAnywhere = words.some((_, start) => windowsFrom(words, start).some(isSecretPhrase));
  return isAnywhere || words.some(endsInSecret) || secretAlone.has(words.filter((word) => !fillers.has(word)).join(''));
}

/** Phrases that are secret anywhere in a label. Singular, lower case; spaces only for reading. */
const secretPhrases = phrases(
  'password, passwd, pwd, passphrase, passcode, passkey, passwort, kennwort, contraseña, mot de passe',
  'pin code, pin number, card pin, digit pin, pin 4 digit, pin 6 digit',
  'secret, client secret, credential, api key, access key, secret key, private key, ssh key, signing key',
  'encryption key, master key, recovery key, session cookie, auth cookie',
  'access token, refresh token, bearer token, api token, auth token, authentication token, authorization token',
  'session token, security token, id token, identity token, personal token, oauth token, bot token, deploy token',
  'github token, gitlab token, npm token, slack token, jwt, seed phrase, recovery phrase, mnemonic phrase',
  'card number, credit card, debit card, cvv, cvc, cvv2, cvc2, card code',
  'ssn, social security, security answer',
  // One-time codes are credentials for the minutes they live, and asking for one is how accounts are stolen.
  'otp, totp, one time code, verification code, security code, auth code, authenticator code, authentication code',
  'authorization code, login code, sign in code, sms code, mfa code, 2fa code, two factor code, backup code',
  'recovery code',
);

/** Words that are secret as the whole label; with another word they mostly are not (`pin to top`, `token count`). */
const secretAlone = phrases('pin, token, pass, mnemonic');
const fillers = new Set(['a', 'the', 'your', 'my', 'enter', 'new', 'current', 'old', 'confirm', 'please', 'account']);

const maxPhraseWords = 4;

// Capitals before a capitalised word are a word of their own: APIKey is API and Key.
const word = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|[\p{Lo}\p{Lm}]+|\p{N}+/gu;

/** Words of a text, so that compatibility forms and invisible marks hide none. */
const wordsOf = (text: string): string[] =>
  [
    ...text
      .normalize('NFKC')
      .replaceAll(/\p{Cf}/gu, '')
      .matchAll(word),
  ].map(([name]) => name.toLowerCase());

const windowsFrom = (words: string[], start: number): string[] =>
  Array.from({ length: maxPhraseWords }, (_, extra) => words.slice(start, start + extra + 1).join(''));

const isSecretPhrase = (phrase: string): boolean =>
  secretPhrases.has(phrase) || secretPhrases.has(phrase.replace(/s$/, ''));

// Compounds no one separates, such as `dbpassword`; no other English word ends like these.
const endsInSecret = (text: string): boolean => /(?:password|passwd|passphrase|apikey)s?$/.test(text);

function phrases(...lines: string[]): Set<string> {
  return new Set(lines.flatMap((line) => line.split(', ')).map((phrase) => phrase.replaceAll(' ', '')));
}

type Path = FieldError['path'];
type Keywords = Record<string, unknown>;

/** Checks one property against the subset: name, kind, keywords, what it asks for, then its default. */
const lintField = (name: string, field: unknown): FieldError[] => lintProperty(name, field, shapeOf, true);

/** Like `lintField`, but a list may hold any texts, and secrets are allowed: results pass through no client. */
const lintResultField = (name: string, field: unknown): FieldError[] =>
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

/** Fields that people type. Options are written by the asker, so choosing one reveals no secret. */
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

/** Faults of a default; called only if the rest of the field is valid. */
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

export type LintResult<S = FormSchema> = { ok: true; schema: S } | { ok: false; errors: FieldError[] };

/**
 * Checks a schema against the MCP form subset: a valid one can be shown by every client and answered by a person.
 * Never throws. The returned schema is a copy without `$schema` and `additionalProperties`;
 * paths of errors lead from the schema's root, and at most 50 are reported.
 */
export const lintFormSchema = (input: unknown): LintResult => lintSchema<FormSchema>(input, lintField);

/**
 * Checks a schema for a result of URL mode: the form subset, lists of any texts, and secrets, since neither the schema
 * nor the result passes through an MCP client. Otherwise like `lintFormSchema`.
 */
export const lintResultSchema = (input: unknown): LintResult<ResultSchema> =>
  lintSchema<ResultSchema>(input, lintResultField);

type FieldLint = (name: string, field: unknown) => FieldError[];

function lintSchema<S extends ResultSchema>(input: unknown, lintOne: FieldLint): LintResult<S> {
  const text = toJsonText(input);
  if (text === undefined) return refused([{ path: [], message: notJson }]);
  if (byteLength(text) > limits.schemaBytes) return refused([{ path: [], message: tooLarge }]);
  // From here on only plain JSON: hostile input was read once and can no longer change.
  const schema: unknown = JSON.parse(text);
  if (!isRecord(schema)) return refused([{ path: [], message: notObject }]);
  const errors = lintRoot(schema, lintOne);
  return errors.length > 0 ? refused(errors) : { ok: true, schema: withoutFrame(schema) as unknown as S };
}

const notJson = 'Change the schema: it is nested too deeply or holds something that JSON cannot express.';
const tooLarge = `Shorten the schema to at most ${limits.schemaBytes} bytes of JSON.`;
const notObject = 'Give the schema as { "type": "object", "properties": { … } }.';

const refused = (errors: FieldError[]): LintResult<never> => ({ ok: false, errors: errors.slice(0, limits.errors) });

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

const lintRoot = (schema: Record<string, unknown>, lintOne: FieldLint): FieldError[] => [
  ...lintRootType(schema),
  ...lintRootKeywords(schema),
  ...lintLabels([], schema),
  ...lintProperties(schema, lintOne),
  ...lintRequired(schema),
];

const lintRootType = (schema: Record<string, unknown>): FieldError[] =>
  schema['type'] === 'object' ? [] : [{ path: ['type'], message: 'Give "type" as "object": a form is an object.' }];

const rootKeywords = new Set(['type', 'title', 'description', 'properties', 'required']);

const lintRootKeywords = (schema: Record<string, unknown>): FieldError[] =>
  Object.keys(schema)
    .filter((keyword) => !rootKeywords.has(keyword) && !isHarmlessFrame(keyword, schema[keyword]))
    .map((keyword) => ({ path: [keyword], message: forbiddenSentence(keyword) }));

/** Keywords that generators write and that do not matter, because unknown fields are refused in every answer. */
const isHarmlessFrame = (keyword: string, value: unknown): boolean =>
  keyword === '$schema' ? typeof value === 'string' : keyword === 'additionalProperties' && value === false;

function lintProperties(schema: Record<string, unknown>, lintOne: FieldLint): FieldError[] {
  const properties = member(schema, 'properties');
  const path = ['properties'];
  if (!isRecord(properties)) return [{ path, message: 'Give "properties" as an object with one key for each field.' }];
  const fields = Object.entries(properties);
  const surplus = { path, message: `Give "properties" at most ${limits.properties} fields: it has ${fields.length}.` };
  const errors = fields.flatMap(([name, field]) => lintOne(name, field));
  return fields.length > limits.properties ? [surplus, ...errors] : errors;
}

function lintRequired(schema: Record<string, unknown>): FieldError[] {
  const required = member(schema, 'required');
  if (required === undefined) return [];
  if (!Array.isArray(required)) return [{ path: ['required'], message: 'Give "required" as a list of field names.' }];
  if (required.length > limits.properties) return [{ path: ['required'], message: tooManyRequired }];
  const properties = member(schema, 'properties');
  const names = new Set<unknown>(isRecord(properties) ? Object.keys(properties) : []);
  return required.flatMap((name: unknown, index) => {
    const message = faultOfRequired(name, names, required.indexOf(name) < index);
    return message === undefined ? [] : [{ path: ['required', index], message }];
  });
}

const tooManyRequired = `Give "required" at most ${limits.properties} names: a form cannot have more fields.`;

function faultOfRequired(name: unknown, names: Set<unknown>, isRepeated: boolean): string | undefined {
  if (typeof name !== 'string') return 'Give the name of a field as a string.';
  if (!names.has(name)) return 'Remove this name, or add its field to "properties".';
  return isRepeated ? 'Remove this name: it is already in the list.' : undefined;
}

/** The schema without harmless keywords; called only after it has passed every rule. */
function withoutFrame(schema: Record<string, unknown>): Record<string, unknown> {
  const { $schema: _, additionalProperties: __, ...form } = schema;
  return form;
}
