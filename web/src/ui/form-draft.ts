import { faultsOfContent, withDefaults, type FormContent } from '#platform/form/answer';
import { fieldKind, isNumeric, type FieldSchema, type FieldValue, type FormSchema } from '#platform/form/schema';
import { sentences } from '../language/sentences.ts';
import { drafts } from '../language/words/words.ts';
import { fromLocalTime, toLocalTime } from './local-time.ts';

/** Values of the controls: texts as typed, choices as a list. No input is ever lost to a conversion. */
export type Draft = Record<string, string | string[]>;
/** One sentence for each faulty field. */
export type Faults = Record<string, string>;

/** First values of the form: defaults filled in, the rest empty. */
export function startDraft(schema: FormSchema): Draft {
  const defaults = withDefaults(schema);
  const fields = Object.entries(schema.properties);
  return Object.fromEntries(fields.map(([name, field]) => [name, toControl(field, own(defaults, name))]));
}

/** Carries input over to a changed form, if the field still exists and is of the same kind. */
export function carryDraft(draft: Draft, from: FormSchema | null, to: FormSchema): Draft {
  const kept = Object.entries(to.properties).flatMap(([name, field]) => {
    const before = from === null ? undefined : own(from.properties, name);
    const typed = own(draft, name);
    const isKept = before !== undefined && typed !== undefined && fieldKind(before) === fieldKind(field);
    return isKept ? [[name, typed] as const] : [];
  });
  return { ...startDraft(to), ...Object.fromEntries(kept) };
}

/** Checks the draft before sending, by the server's rules. */
export function checkDraft(schema: FormSchema, draft: Draft): { content: FormContent; faults: Faults } {
  const { content, faults } = readDraft(schema, draft);
  const invalid = faultsOfContent(schema, content).map(
    ({ path, fault }) => [`${path[0]}`, sentences.fault(fault)] as const,
  );
  return { content, faults: { ...Object.fromEntries(invalid), ...faults } };
}

function readDraft(schema: FormSchema, draft: Draft): { content: FormContent; faults: Faults } {
  const content: [string, FieldValue][] = [];
  const faults: [string, string][] = [];
  for (const [name, field] of Object.entries(schema.properties)) {
    const typed = own(draft, name) ?? '';
    const isRequired = schema.required?.includes(name) === true;
    if (typed === '' || (typed.length === 0 && !isRequired)) continue;
    const value = fromControl(field, typed);
    if (value === undefined) faults.push([name, drafts.notNumber]);
    else content.push([name, value]);
  }
  return { content: Object.fromEntries(content), faults: Object.fromEntries(faults) };
}

const numeral = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;

/** Value of a control; undefined if the text is not a number. */
function fromControl(field: FieldSchema, typed: string | string[]): FieldValue | undefined {
  if (Array.isArray(typed)) return typed;
  if (field.type === 'boolean') return typed === 'true';
  if (isNumeric(field)) return numeral.test(typed.trim()) ? Number(typed) : undefined;
  if (fieldKind(field) !== 'date-time') return typed;
  // A default keeps its own offset and seconds unless someone changed it.
  return typed === toControl(field, field.default) ? (field.default as string) : fromLocalTime(typed);
}

function toControl(field: FieldSchema, value: FieldValue | undefined): string | string[] {
  if (field.type === 'array') return Array.isArray(value) ? value : [];
  if (value === undefined) return '';
  return fieldKind(field) === 'date-time' ? toLocalTime(`${value as string}`) : `${value as string | number | boolean}`;
}

const own = <T>(record: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;
