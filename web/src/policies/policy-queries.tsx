import { keepPreviousData, queryOptions, type UseMutationResult } from '@tanstack/react-query';
import { checkPolicy, readHistory, readPolicySchema, readShadow, readVersion, type VersionPlace } from './policies.ts';
import type { Schema } from './schema-choices.ts';
import { useChange } from '../people/changes/use-change.ts';

/** It changes with the server's version only. */
export const schemaQuery = queryOptions({
  queryKey: ['policies', 'schema'],
  queryFn: async ({ signal }) => (await readPolicySchema(signal)) as Schema,
  staleTime: Infinity,
});

export const historyQuery = (name: string) =>
  queryOptions({
    queryKey: ['policies', 'history', name],
    queryFn: ({ signal }) => readHistory(name, signal),
    select: ({ versions }) => versions,
  });

export const versionQuery = (place: VersionPlace) =>
  queryOptions({
    queryKey: ['policies', 'version', place.name, place.version],
    queryFn: ({ signal }) => readVersion(place, signal),
  });

export const shadowQuery = (name: string) =>
  queryOptions({ queryKey: ['policies', 'shadow', name], queryFn: ({ signal }) => readShadow(name, signal) });

/** The last answer stays until the new one is there, so that nothing flickers while someone types. */
export const checkQuery = (document: string) =>
  queryOptions({
    queryKey: ['policies', 'check', document],
    queryFn: ({ signal }) => checkPolicy({ document }, signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    gcTime: 30_000,
  });

export type PolicyStep<Step, Result> = UseMutationResult<Result, Error, Step>;

const shown = ['list', 'history', 'version', 'shadow', 'reviews'].map((part) => ['policies', part]);

/** Sends one step of a version's life, and has every page about policies read it again. */
export const usePolicyStep = <Step, Result>(
  send: (step: Step) => Promise<Result>,
  message: string,
): PolicyStep<Step, Result> => useChange(send, { message, queries: shown });
