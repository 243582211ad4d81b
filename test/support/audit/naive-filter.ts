import type { StoredEvent } from '#audit/entries/rules/entry';
import type { LogFilter } from '#audit/exports/rules/filter';

/** What is known of a request from its entries alone. */
interface Request {
  server: string;
  tool: string;
  policy: string;
  outcome: string;
  digests: string[];
}

/** The ids of the entries that fit, found by reading all of them. */
export function filterNaively(entries: StoredEvent[], filter: LogFilter): string[] {
  const requests = requestsIn(entries);
  return entries.filter((entry) => fits(entry, requests, filter)).map(({ id }) => id);
}

function fits(entry: StoredEvent, requests: Map<string, Request>, filter: LogFilter): boolean {
  const at = Date.parse(entry.at);
  if (at < (filter.from ?? 0) || at >= (filter.to ?? Infinity)) return false;
  if (filter.person && !(entry.actor.kind === 'user' && entry.actor.id === filter.person)) return false;
  const own = ('elicitation' in entry ? entry.elicitation : null) ?? '';
  const isReading = ['access.read', 'access.exported', 'access.refused'].includes(entry.type);
  const read = isReading && 'about' in entry ? (entry.about as string[])[0] : undefined;
  const id = filter.request !== undefined && read === filter.request ? read : own;
  if (filter.request && id !== filter.request) return false;
  const request = requests.get(id);
  const { server, tool, policy, outcome, digest } = filter;
  const expected = Object.entries({ server, tool, policy, outcome }).filter(([, value]) => value !== undefined);
  if (digest && !request?.digests.includes(digest)) return false;
  return expected.every(([name, value]) => request?.[name as 'tool'] === value);
}

function requestsIn(entries: StoredEvent[]): Map<string, Request> {
  const requests = new Map<string, Request>();
  for (const entry of entries) {
    if (entry.type === 'elicitation.opened')
      requests.set(entry.elicitation, {
        server: entry.serverName,
        tool: entry.tool,
        policy: '',
        outcome: '',
        digests: [entry.digest],
      });
    if (!('revision' in entry)) continue;
    const request = requests.get(entry.elicitation)!;
    request.policy = entry.policy.split('@')[0] ?? '';
    request.outcome = entry.to;
    if (entry.type === 'elicitation.edited') request.digests.push(entry.digest);
  }
  return requests;
}
