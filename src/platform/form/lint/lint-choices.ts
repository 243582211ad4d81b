import { hasHiddenCharacters } from '../../text/hidden-characters/hidden-characters.ts';
import type { FieldError } from '../../model/problem/problem.ts';
import { countCharacters } from '../schema/characters.ts';
import { type Advice, forbiddenSentence, move, remove } from '../schema/forbidden-keywords.ts';
import { isRecord } from '../schema/json.ts';
import { limits } from '../schema/limits.ts';
import { errorsAt, faultOfTitle, hiddenSentence } from './lint-labels.ts';

type Path = FieldError['path'];
type Keywords = Record<string, unknown>;

/** `enum` of a single choice, with its `enumNames` if it has the older form of titles. */
export function lintEnum(path: Path, { enum: values, enumNames }: Keywords): FieldError[] {
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

/** `oneOf` of a single choice or `anyOf` of a list of choices: a value and a title each. */
export function lintTitledOptions(path: Path, options: unknown): FieldError[] {
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

/** `items` of a list of choices. */
export function lintItems(path: Path, items: unknown): FieldError[] {
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
    .map((keyword) => ({ path: [...path, keyword], message: misplacedSentence(keyword) }));

const misplacedSentence = (keyword: string): string => misplaced.get(keyword)?.(keyword) ?? forbiddenSentence(keyword);

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
