import type { RowDigests } from '#audit/entries/rules/evidence';
import { breakGlassTable, lookBackTable, lookTable, revisionTable } from '../../../deliberation/store/tables.ts';

// What the log says about rows without an id of their own: their digests, under what names them.

type Digested<T extends { digest(row: never): string }> = Parameters<T['digest']>[0];

export const revisionDigest = (row: Digested<typeof revisionTable>): RowDigests => ({
  [`${row.elicitationId}#${row.revision}`]: revisionTable.digest(row),
});

export const breakGlassDigest = (row: Digested<typeof breakGlassTable>): RowDigests => ({
  [`${row.elicitationId}#break-glass`]: breakGlassTable.digest(row),
});

export const lookBackDigest = (row: Digested<typeof lookBackTable>): RowDigests => ({
  [`${row.elicitationId}#look-back`]: lookBackTable.digest(row),
});

export const lookDigest = (row: Digested<typeof lookTable>): RowDigests => ({
  [`${row.elicitationId}#look-${row.userId}-${Number(row.at)}`]: lookTable.digest(row),
});
