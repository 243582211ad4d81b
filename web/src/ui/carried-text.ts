import { useEffect, useRef, useState } from 'react';
import { useUser } from '../people/users/use-user.ts';

/** Longest absence. */
const maxAwayMs = 15 * 60_000;

interface Kept {
  at: number;
  value: unknown;
}

const readers = new Map<string, () => unknown>();
/** Values of forms that this page no longer shows. */
const left = new Map<string, Kept>();

/** Keeps the values of this page's forms in this tab, before it is loaded again or its person visits an identity provider. */
export function carryTexts(): void {
  for (const [key, read] of readers) sessionStorage.setItem(key, JSON.stringify(keep(read())));
}

const keep = (value: unknown): Kept => ({ at: Date.now(), value });

/** The value kept under this key when this form was left, once; null if there is none, or it is too old. */
function takeText<T>(key: string): T | null {
  const stored = sessionStorage.getItem(key);
  const kept = left.get(key) ?? (stored === null ? null : (JSON.parse(stored) as Kept));
  sessionStorage.removeItem(key);
  left.delete(key);
  return kept !== null && Date.now() - kept.at < maxAwayMs ? (kept.value as T) : null;
}

/** Key of this person and this form. It stays when the session ends, so that they find their input when they return. */
export function useFormKey(form: string, id: string): string {
  const userId = useUser()?.id;
  return useState(`${form} ${userId} ${id}`)[0];
}

/** Input of this form from before its person left. */
export const useCarried = <T>(key: string): T | null => useState(() => takeText<T>(key))[0];

/**
 * Keeps this value when its person opens another page of the console, reloads, or visits an identity provider. Returns a
 * function that stores another value at once, for a form that disappears with it.
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

/** Values of a form, as its person left them. */
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
