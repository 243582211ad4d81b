import { useEffect, useRef, useState } from 'react';

/** How long someone may be away. */
const maxAwayMs = 15 * 60_000;

const readers = new Map<string, () => unknown>();

/** Keeps what stands in the forms of this page in this tab, while its person proves elsewhere who they are. */
export function carryTexts(): void {
  for (const [key, read] of readers) sessionStorage.setItem(key, JSON.stringify({ at: Date.now(), value: read() }));
}

/** What was kept under this key when this tab was left, once; null if there is nothing, or it is too old. */
function takeText<T>(key: string): T | null {
  const kept = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  if (kept === null) return null;
  const { at, value } = JSON.parse(kept) as { at: number; value: T };
  return Date.now() - at < maxAwayMs ? value : null;
}

/** What was typed here before its person went to prove who they are. The key names person and form. */
export const useCarried = <T>(key: string): T | null => useState(() => takeText<T>(key))[0];

/** Lets this be kept when its person goes to prove who they are. */
export function useCarrying(key: string, value: unknown): void {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  useEffect(() => {
    readers.set(key, () => latest.current);
    return () => void readers.delete(key);
  }, [key]);
}
