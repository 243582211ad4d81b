/** The steps of a JSON Pointer (RFC 6901); null if the text is none. The empty text leads to the whole. */
export function readPointer(text: string): string[] | null {
  if (text === '') return [];
  if (!text.startsWith('/') || /~(?![01])/.test(text)) return null;
  return text
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export const writePointer = (steps: string[]): string =>
  steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** What the steps lead to in a JSON value; undefined if they lead nowhere. */
export function follow(value: unknown, [step, ...rest]: string[]): unknown {
  if (step === undefined) return value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  if (Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(step)) return undefined;
  return follow((value as Record<string, unknown>)[step], rest);
}

/** A step as a label shows it: what could pass for more than one step, or for none, stands in quotes: `"to.name"`. */
export const showStep = (step: string): string => (/^[^\s.[\]"]+$/u.test(step) ? step : JSON.stringify(step));
