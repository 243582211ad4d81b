import type { UseMutationResult } from '@tanstack/react-query';
import { useChange } from '../../people/changes/use-change.ts';

export type PolicyStep<Step, Result> = UseMutationResult<Result, Error, Step>;

const shown = ['list', 'history', 'version', 'shadow', 'reviews'].map((part) => ['policies', part]);

/** Sends one step of a version's life, and has every page about policies read it again. */
export const usePolicyStep = <Step, Result>(
  send: (step: Step) => Promise<Result>,
  message: string,
): PolicyStep<Step, Result> => useChange(send, { message, queries: shown });
