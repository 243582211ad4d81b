import { options } from 'preact';
import type { ReactNode } from 'react';

// Preact stands in for React in every import of a built page: it does the same in a tenth of the bytes.
// @ts-expect-error The package's types are one object.
export * from 'preact/compat';
export { default } from 'preact/compat';

/** React Router looks whether there is one. */
export const useOptimistic = undefined;

/** Hidden parts are not kept: nothing here relies on it. */
export const Activity = ({ mode, children }: { mode?: 'visible' | 'hidden'; children?: ReactNode }) =>
  mode === 'hidden' ? null : children;

// Effects of what was drawn have run before the next key or click is read, as React does.
(options as { requestAnimationFrame?: (run: () => void) => void }).requestAnimationFrame = queueMicrotask;
