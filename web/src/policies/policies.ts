import { z } from 'zod';
import {
  PolicyCheck,
  PolicyDetail,
  PolicyHistory,
  PolicyList,
  ShadowReport,
  Simulation,
  type CheckPolicy,
  type ReviewVersion,
  type SaveDraft,
  type SetShadow,
  type PolicyFixture,
  type SimulatePolicy,
} from '#policies/contract/documents';
import { address, callApi } from '../client/call-api.ts';
import { orWaiting } from '../people/changes/changes.ts';

export interface VersionPlace {
  name: string;
  version: number;
}

export const readPolicies = (signal: AbortSignal) => callApi('/api/policies', { answer: PolicyList, signal });

export const readPolicySchema = (signal: AbortSignal) =>
  callApi('/api/policies/schema', { answer: z.unknown(), signal });

export const readHistory = (name: string, signal: AbortSignal) =>
  callApi(`${addressOf(name)}/versions`, { answer: PolicyHistory, signal });

export const readVersion = (place: VersionPlace, signal: AbortSignal) =>
  callApi(versionAddress(place), { answer: PolicyDetail, signal });

export const readShadow = (name: string, signal: AbortSignal) =>
  callApi(`${addressOf(name)}/shadow`, { answer: ShadowReport, signal });

export const checkPolicy = (body: CheckPolicy, signal: AbortSignal) =>
  callApi('/api/policies/check', { method: 'POST', body, answer: PolicyCheck, signal });

export const simulatePolicy = (body: Omit<SimulatePolicy, 'fixtures'> & { fixtures?: PolicyFixture[] }) =>
  callApi('/api/policies/simulate', { method: 'POST', body, answer: Simulation });

export const saveDraft = (body: SaveDraft) => callApi('/api/policies', { method: 'POST', body, answer: PolicyDetail });

export const submitVersion = (place: VersionPlace): Promise<PolicyDetail> => step(place, 'submit');

export const reviewVersion = (place: VersionPlace, body: ReviewVersion): Promise<PolicyDetail> =>
  step(place, 'review', body);

export const publishVersion = (place: VersionPlace) =>
  callApi(`${versionAddress(place)}/publish`, { method: 'POST', answer: orWaiting(PolicyDetail) });

export const restoreVersion = (place: VersionPlace): Promise<PolicyDetail> => step(place, 'restore');

export const setShadow = (name: string, body: SetShadow) =>
  callApi(`${addressOf(name)}/shadow`, { method: 'POST', body, answer: PolicyHistory });

const step = (place: VersionPlace, verb: string, body?: unknown): Promise<PolicyDetail> =>
  callApi(`${versionAddress(place)}/${verb}`, {
    method: 'POST',
    ...(body !== undefined && { body }),
    answer: PolicyDetail,
  });

const addressOf = (name: string): string => address`/api/policies/${name}`;
const versionAddress = ({ name, version }: VersionPlace): string => `${addressOf(name)}/versions/${version}`;
