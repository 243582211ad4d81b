import { formatUnknown } from '#protocol/model/text/nearest-name';
import type { FieldError } from '#protocol/model/problem';

/** For code without types: a misspelt option would silently do nothing. */
export const faultsOfNames = (options: object, names: readonly string[]): FieldError[] =>
  Object.keys(options)
    .filter((name) => !names.includes(name))
    .map((name) => ({ path: [name], message: formatUnknown('option', name, names) }));
