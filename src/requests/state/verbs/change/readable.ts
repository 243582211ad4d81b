import { Problem } from '#platform/model/problem';

/** What `open` reads of a row; null if its content was erased, or was sealed under a secret that is not known here. */
export function readable<T>(open: () => T): T | null {
  try {
    return open();
  } catch (error) {
    if (isUnreadable(error)) return null;
    throw error;
  }
}

/** Whether an error says that stored content cannot be read. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 'sealed-unreadable' || error.code === 'content-erased');
