import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { comparisonQuery } from '../../../shell/queries.ts';

/** How this version differs from past requests. A help for reading: if it cannot be read, nothing is missing. */
export function useComparison({ id, digest }: Pick<ElicitationDetail, 'id' | 'digest'>) {
  const { data, refetch } = useQuery(comparisonQuery(id));
  const compared = data?.digest;
  useEffect(() => {
    if (compared !== undefined && compared !== digest) void refetch();
  }, [compared, digest, refetch]);
  return compared === digest ? (data ?? null) : null;
}
