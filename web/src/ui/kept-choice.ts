import { useSyncExternalStore } from 'react';

/** A choice that this browser keeps for a year. */
interface KeptChoice<Value extends string> {
  values: readonly Value[];
  get: () => Value;
  set: (value: Value) => void;
  subscribe: (listener: () => void) => () => void;
}

/** Makes a kept choice. The first value is the default; a new choice redraws its readers. */
export function keptChoice<Value extends string>(
  name: string,
  values: readonly [Value, ...Value[]],
): KeptChoice<Value> {
  const listeners = new Set<() => void>();
  return {
    values,
    get: () => values.find((value) => isKept(name, value)) ?? values[0],
    set: (value) => {
      keep(name, value);
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const useChoice = <Value extends string>(choice: KeptChoice<Value>): Value =>
  useSyncExternalStore(choice.subscribe, choice.get);

export const isKept = (name: string, value: string): boolean =>
  document.cookie.split('; ').includes(`${name}=${value}`);

export function keep(name: string, value: string, seconds = 31_536_000): void {
  document.cookie = `${name}=${value}; path=/; max-age=${seconds}; samesite=lax`;
}
