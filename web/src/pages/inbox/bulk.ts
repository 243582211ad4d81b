import type { ElicitationDetail } from '../../../../src/contract/console/console.ts';
import { longValues } from '../../../../src/model/key-facts/long-values.ts';
import { layOutArguments } from '../../lib/argument-rows.ts';

/** How many requests are decided with one press at most: more are not read. */
export const mostTogether = 20;

/** Why a request must be decided on its own page. */
export type Apart = 'high-risk' | 'not-mine' | 'other-tool' | 'other-policy' | 'form' | 'url' | 'long';

export interface Bulk {
  together: ElicitationDetail[];
  apart: { detail: ElicitationDetail; why: Apart }[];
}

/** Sorts out what can be decided together: one tool, one policy, no high risk, nothing to fill in or to open. */
export function sortBulk(details: ElicitationDetail[]): Bulk {
  const bulk: Bulk = { together: [], apart: [] };
  for (const detail of details) {
    const why = aloneBecause(detail) ?? differsFrom(detail, bulk.together[0]);
    if (why === null) bulk.together.push(detail);
    else bulk.apart.push({ detail, why });
  }
  return bulk;
}

/** Where the arguments of several calls are not all the same: what must be read of each. */
export function differingPaths(details: ElicitationDetail[]): ReadonlySet<string> {
  const values = new Map<string, Map<string, number>>();
  for (const { arguments: json } of details) {
    for (const { path, value } of layOutArguments(json) ?? []) {
      const counts = values.get(path) ?? new Map<string, number>();
      values.set(path, counts.set(value, (counts.get(value) ?? 0) + 1));
    }
  }
  const isShared = (counts: Map<string, number>) => counts.size === 1 && [...counts.values()][0] === details.length;
  return new Set([...values].filter(([, counts]) => !isShared(counts)).map(([path]) => path));
}

function aloneBecause(detail: ElicitationDetail): Apart | null {
  if (!detail.can.vote.allowed) return 'not-mine';
  if (detail.risk === 'high') return 'high-risk';
  if (detail.mode === 'url') return 'url';
  if (hasFields(detail.schema)) return 'form';
  const rows = layOutArguments(detail.arguments);
  return rows === null || longValues(JSON.parse(detail.arguments)).length > 0 ? 'long' : null;
}

function differsFrom(detail: ElicitationDetail, first: ElicitationDetail | undefined): Apart | null {
  if (first === undefined) return null;
  if (detail.server !== first.server || detail.tool.name !== first.tool.name) return 'other-tool';
  return detail.policy.name === first.policy.name ? null : 'other-policy';
}

const hasFields = (schema: unknown): boolean =>
  typeof schema === 'object' &&
  schema !== null &&
  Object.keys((schema as { properties?: object }).properties ?? {}).length > 0;
