// No instanceof: errors of Node belong to another realm if the caller runs in a separate context.

/** Whether an error of Node or of PostgreSQL carries one of these codes (`ENOENT`, `42P04`). */
export const hasErrorCode = (error: unknown, ...codes: string[]): boolean =>
  isObject(error) && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);

/** What an error says, for the operator. */
export const describeError = (error: unknown): string =>
  isObject(error) && 'message' in error && typeof error.message === 'string' ? error.message : String(error);

/** The codes of an error and of what caused it, the outermost first. */
export const errorCodes = (error: unknown): string[] => {
  if (!isObject(error)) return [];
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  return 'cause' in error ? [...own, ...errorCodes(error.cause)] : own;
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
