import { formatsIn } from '#platform/text/formats';
import { nearestName } from '#platform/text/nearest-name';
import type { Refusal } from '../walk.ts';

const { all } = formatsIn('en');

/** The message and place of an evaluator's error. */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof Error)) return { message: 'It has an error.', offset: 0 };
  const { summary, range } = error as Error & { summary?: string; range?: { start: number } };
  return { message: summary ?? error.message, offset: range?.start ?? 0 };
}

/** The same for the author of the expression: lists the known names and the one probably meant. */
export function explainRefusal(error: unknown, text: string, names: Record<string, string[]>): Refusal {
  const { message, offset } = refusalOf(error);
  const variable = /^Unknown variable: (\w+)$/.exec(message)?.[1];
  if (variable !== undefined) return { message: formatNoVariable(variable, Object.keys(names)), offset };
  const key = /^No such key: (\w+)$/.exec(message)?.[1];
  const owner = /(\w+)\s*\.\s*$/.exec(text.slice(0, offset))?.[1];
  const keys = owner !== undefined && Object.hasOwn(names, owner) ? names[owner] : undefined;
  if (key !== undefined && keys) return { message: formatNone(`${owner}.${key}`, key, keys), offset };
  return { message: message.endsWith('.') ? message : `${message}.`, offset };
}

/** A name that resembles none is probably that of an argument. */
function formatNoVariable(name: string, names: string[]): string {
  const isArgument = nearestName(name, names) === null && names.includes('request');
  return isArgument
    ? `Write request.args.${name} if it is an argument of the tool: there is no variable ${name}. There are ${all(names)}.`
    : formatNone(`variable ${name}`, name, names);
}

function formatNone(what: string, name: string, names: string[]): string {
  const near = nearestName(name, names);
  return `There is no ${what}.${near === null ? '' : ` Did you mean ${near}?`} There are ${all(names)}.`;
}
