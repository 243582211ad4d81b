import type { FormContent } from '#platform/form/answer';
import type { FormSchema } from '#platform/form/schema';
import { startDraft, type Draft } from '../../../ui/form-draft.ts';

/** The controls filled with the call's own arguments; one of another kind than the policy says stays empty. */
export function draftArguments(schema: FormSchema, json: string): Draft {
  const values = readObject(json);
  const draft = startDraft(schema);
  for (const name of Object.keys(schema.properties)) {
    const value = values[name];
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) draft[name] = value;
    else if (['string', 'number', 'boolean'].includes(typeof value)) draft[name] = `${value as string}`;
  }
  return draft;
}

/** Only what differs from the call as it is. */
export function changedArguments(content: FormContent, json: string): FormContent {
  const values = readObject(json);
  const changed = Object.entries(content).filter(
    ([name, value]) => JSON.stringify(values[name]) !== JSON.stringify(value),
  );
  return Object.fromEntries(changed);
}

function readObject(json: string): Record<string, unknown> {
  const value: unknown = JSON.parse(json);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
