/** Code that waits, by what it waits for. */
export interface Resumptions {
  wait(reference: string): Promise<void>;
  resume(reference: string): void;
}

export function resumptions(): Resumptions {
  const waiting = new Map<string, () => void>();
  return {
    wait: (reference) => new Promise((resolve) => waiting.set(reference, resolve)),
    resume(reference) {
      waiting.get(reference)?.();
      waiting.delete(reference);
    },
  };
}
