import type { Simulation } from '#policies/contract/documents';

type Request = Simulation['requests'][number];

/** Requests of one tool that come out alike, now and with the text. */
export interface RequestGroup {
  key: string;
  /** The latest of them. */
  first: Request;
  count: number;
  /** How many of them ended how; null are those that are open. */
  endings: [Request['ended'], number][];
}

/** The groups in the order of their latest requests. */
export function groupRequests(requests: readonly Request[]): RequestGroup[] {
  const groups = new Map<string, RequestGroup & { ended: Map<Request['ended'], number> }>();
  for (const request of requests) {
    const { server, tool, live, draft, changes } = request;
    const key = JSON.stringify([server, tool, live, draft, changes]);
    const group = groups.get(key) ?? { key, first: request, count: 0, endings: [], ended: new Map() };
    group.count += 1;
    group.ended.set(request.ended, (group.ended.get(request.ended) ?? 0) + 1);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ ended, ...group }) => ({ ...group, endings: [...ended] }));
}
