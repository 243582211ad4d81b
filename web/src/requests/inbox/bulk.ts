import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { longValues } from '#requests/facts/contract/orders';
import type { Cell } from '../../ui/ListTable.tsx';
import { layOutArguments, type ArgumentRow } from './argument-rows.ts';

/** Reason why a request must be decided on its own page. */
type Apart = 'high-risk' | 'not-mine' | 'other-tool' | 'other-policy' | 'form' | 'url' | 'long' | 'proof' | 'typed';

interface Bulk {
  together: ElicitationDetail[];
  apart: { detail: ElicitationDetail; why: Apart }[];
  /** Requests that can be declined together: all on which the reader has a vote. */
  declinable: ElicitationDetail[];
}

/** Finds the requests that can be approved together: one tool, one policy, no high risk, nothing to fill in or to open. */
export function sortBulk(details: ElicitationDetail[]): Bulk {
  const bulk: Bulk = { together: [], apart: [], declinable: details.filter(({ can }) => can.vote.allowed) };
  for (const detail of details) {
    const why = aloneBecause(detail) ?? differsFrom(detail, bulk.together[0]);
    if (why === null) bulk.together.push(detail);
    else bulk.apart.push({ detail, why });
  }
  return bulk;
}

/** The arguments of one call by their paths, in the caller's order. Only empty lists and groups have a cell of their own. */
export function argumentCells({
  arguments: json,
  keyOrders,
}: Pick<ElicitationDetail, 'arguments'> & Partial<Pick<ElicitationDetail, 'keyOrders'>>): Record<string, Cell> {
  const rows = layOutArguments(json, keyOrders) ?? [];
  return Object.fromEntries(rows.flatMap((row) => cellOf(row) ?? []));
}

/** Cell of a row. Empty values have a special name, so that they never equal a similar text. */
function cellOf({ kind, path, pointer, value }: ArgumentRow): [[string, Cell]] | null {
  const name = isPlain(pointer) ? path : pointer;
  if (kind !== 'list' && kind !== 'group') return [[name, kind === 'text' ? value : (JSON.parse(value) as Cell)]];
  return value === '0' ? [[`${name}${isPlain(pointer) ? '' : '~'}${kind === 'list' ? '[]' : '{}'}`, 0]] : null;
}

/** Is no name on the way like a path itself? Otherwise two arguments could share a path, and one would hide the other. */
const isPlain = (pointer: string): boolean => !/[.[\]{}]|\/~1/.test(pointer);

function aloneBecause(detail: ElicitationDetail): Apart | null {
  if (!detail.can.vote.allowed) return 'not-mine';
  if (detail.risk === 'high') return 'high-risk';
  if (detail.mode === 'url') return 'url';
  if (hasFields(detail.schema)) return 'form';
  if (asksFor(detail, 'presence')) return 'proof';
  if (asksFor(detail, 'confirmation')) return 'typed';
  const rows = layOutArguments(detail.arguments);
  return rows === null || longValues(JSON.parse(detail.arguments)).length > 0 ? 'long' : null;
}

const asksFor = ({ policy }: ElicitationDetail, kind: 'presence' | 'confirmation'): boolean =>
  policy.terms.some((clause) => clause.kind === kind);

function differsFrom(detail: ElicitationDetail, first: ElicitationDetail | undefined): Apart | null {
  if (first === undefined) return null;
  if (toolOf(detail) !== toolOf(first)) return 'other-tool';
  return detail.policy.name === first.policy.name ? null : 'other-policy';
}

/** Key of the tool and its place. */
export const toolOf = ({ server, tool }: ElicitationDetail): string =>
  JSON.stringify([server, tool.name, tool.reaches]);

const hasFields = (schema: unknown): boolean =>
  typeof schema === 'object' &&
  schema !== null &&
  Object.keys((schema as { properties?: object }).properties ?? {}).length > 0;
