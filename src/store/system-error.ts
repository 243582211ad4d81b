/** Whether an error of Node or of PostgreSQL carries this code (`ENOENT`, `42P04`). */
export const hasErrorCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
