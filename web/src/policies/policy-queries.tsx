import { keepPreviousData, queryOptions, type UseMutationResult } from '@tanstack/react-query';
import { policyRoutes } from '#policies/contract/routes';
import { call, query } from '../client/call.ts';
import type { Schema } from './schema-choices.ts';
import { useChange } from '../people/changes/use-change.ts';

/** Schema of policies, which changes only with the server's version. */
export const schemaQuery = queryOptions({
  ...query(policyRoutes.policySchema),
  select: (schema) => schema as Schema,
  staleTime: 'static',
});

export const historyQuery = (name: string) =>
  queryOptions({
    ...query(policyRoutes.policyHistory, { params: { name } }),
    select: ({ versions }) => versions,
  });

export const versionQuery = (params: { name: string; version: number }) =>
  query(policyRoutes.showPolicyVersion, { params });

export const shadowQuery = (name: string) => query(policyRoutes.showShadow, { params: { name } });

/** Check of a text. The last answer stays until the new one arrives, so that nothing flickers while typing. */
export const checkQuery = (document: string) =>
  queryOptions({
    queryKey: ['check', document],
    queryFn: ({ signal }) => call(policyRoutes.checkPolicy, { body: { document }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    gcTime: 30_000,
  });

export type PolicyStep<Step, Result> = UseMutationResult<Result, Error, Step>;

/** Sends one step of a version's life, and reloads every page about policies. */
export const usePolicyStep = <Step, Result>(
  send: (step: Step) => Promise<Result>,
  message: string,
): PolicyStep<Step, Result> => useChange(send, { message });
