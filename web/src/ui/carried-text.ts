import { useEffect, useRef, useState } from 'react';
import { useUser } from '../people/users/use-user.ts';

/** How long someone may be away. */
const maxAwayMs = 15 * 60_000;

interface Kept {
  at: number;
  value: unknown;
}

const readers = new Map<string, () => unknown>();
/** What stood in forms that this page no longer shows. */
const left = new Map<string, Kept>();

/** Keeps what stands in the forms of this page in this tab: it is loaded again, or its person proves elsewhere who they are. */
export function carryTexts(): void {
  for (const [key, read] of readers) sessionStorage.setItem(key, JSON.stringify(keep(read())));
}

const keep = (value: unknown): Kept => ({ at: Date.now(), value });

/** What was kept under this key when this form was left, once; null if there is nothing, or it is too old. */
function takeText<T>(key: string): T | null {
  const stored = sessionStorage.getItem(key);
  const kept = left.get(key) ?? (stored === null ? null : (JSON.parse(stored) as Kept));
  sessionStorage.removeItem(key);
  left.delete(key);
  return kept !== null && Date.now() - kept.at < maxAwayMs ? (kept.value as T) : null;
}

/** Names this person and this form. It stays when the session ends, so that they find what they typed once they are back. */
export function useFormKey(form: string, id: string): string {
  const userId = useUser()?.id;
  return useState(`${form} ${userId} ${id}`)[0];
}

/** What was typed here before its person left. */
export const useCarried = <T>(key: string): T | null => useState(() => takeText<T>(key))[0];

/**
 * Lets this be kept when its person goes elsewhere in the console, loads the page again, or proves who they are. What it
 * returns takes another value at once, for a form that goes away with it.
 */
export function useCarrying(key: string, value: unknown): (value: unknown) => void {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  useEffect(() => {
    addEventListener('pagehide', carryTexts);
    readers.set(key, () => latest.current);
    return () => {
      readers.delete(key);
      left.set(key, keep(latest.current));
    };
  }, [key]);
  return (next) => {
    latest.current = next;
  };
}

/** What stands in a form, as its person left it. */
export function useDraft<T>(form: string, empty: T, id = ''): [T, (draft: T) => void] {
  const key = useFormKey(form, id);
  const carried = useCarried<T>(key);
  const [draft, setDraft] = useState(carried ?? empty);
  const carry = useCarrying(key, draft);
  const change = (next: T): void => {
    carry(next);
    setDraft(next);
  };
  return [draft, change];
}
