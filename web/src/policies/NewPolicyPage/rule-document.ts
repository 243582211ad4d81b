import { namePattern } from '#platform/model/names';

/** A policy that allows what people nearly always approved, from what the address says of it; null if it says nothing. */
export function ruleDocument(search: URLSearchParams): string | null {
  const [server, tool] = ['server', 'tool'].map((name) => search.get(name) ?? '');
  const [approved, decided] = ['approved', 'decided'].map((name) => Number(search.get(name)));
  if (server === undefined || !namePattern.test(server) || tool === undefined || !namePattern.test(tool)) return null;
  if (!Number.isSafeInteger(approved) || !Number.isSafeInteger(decided)) return null;
  return `policy: ${nameFor(tool)}
description: People approved ${approved} of ${decided} requests of this tool, so it runs without them.

match:
  server: ${JSON.stringify(server)}
  tool: ${JSON.stringify(tool)}

# Keep what was declined with people, for example:
# when: has(request.args.amount) && request.args.amount <= 1000

# Only what is of low risk. Above medium it needs a condition that limits an argument, and an end.
allow: { ceiling: low }
`;
}

const nameFor = (tool: string): string =>
  `allow-${tool
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 50)}`;
