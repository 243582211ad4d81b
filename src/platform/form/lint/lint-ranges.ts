import type { FieldError } from '../../model/problem/problem.ts';
import { isRecord } from '../schema/json.ts';
import { errorsAt } from './lint-labels.ts';
import { type StringFormat, stringFormats } from '../schema/schema.ts';
import { formatLengths } from '../schema/string-format.ts';

type Path = FieldError['path'];
type Keywords = Record<string, unknown>;

export function lintFormat(path: Path, { format }: Keywords): FieldError[] {
  if (format === undefined || isFormat(format)) return [];
  return [{ path: [...path, 'format'], message: `Give "format" as one of ${stringFormats.join(', ')}.` }];
}

const isFormat = (format: unknown): format is StringFormat => stringFormats.some((name) => name === format);

/** Both lengths are counts, in order, and leave room for the format. */
export function lintLengths(path: Path, field: Keywords): FieldError[] {
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

/** Both bounds are numbers, in order, and an integer field has an integer between them. */
export function lintBounds(path: Path, field: Keywords): FieldError[] {
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

/** Both counts are counts, in order, and there are enough options. */
export function lintItemCounts(path: Path, field: Keywords): FieldError[] {
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
