import { useQuery } from '@tanstack/react-query';
import type { InboxItem } from '#requests/inbox/contract/inbox';
import type { RowSignal } from '../words/together-words/row-signal.ts';

/** What sets a request apart most from those before it; null if nothing does, or no one can say. */
export function useRowSignal({ id, closedAt, message }: InboxItem): RowSignal | null {
  const { data = null } = useQuery({
    queryKey: ['signal', id],
    queryFn: () => readSignal(id),
    enabled: closedAt === null && message !== null,
    staleTime: Infinity,
    retry: false,
  });
  return data;
}

interface Batch {
  ids: string[];
  answer: Promise<Map<string, RowSignal | null>>;
}

const maxTogether = 50;
let next: Batch | null = null;

/** Rows that are drawn together ask together. */
async function readSignal(id: string): Promise<RowSignal | null> {
  if (next === null || next.ids.length >= maxTogether) {
    const ids: string[] = [];
    next = { ids, answer: readTogether(ids) };
  }
  next.ids.push(id);
  return (await next.answer).get(id) ?? null;
}

async function readTogether(ids: string[]): Promise<Map<string, RowSignal | null>> {
  const { readSignals } = await import('../elicitations.ts');
  await new Promise((resolve) => setTimeout(resolve, 20));
  if (next?.ids === ids) next = null;
  const { signals } = await readSignals(ids);
  return new Map(signals.map(({ id, signal }) => [id, signal]));
}
