import { decide } from '#policies/deciding/rules/decide';
import type { Facts } from '#policies/document/rules/document';
import { parsePolicies } from '#policies/language/rules/parse';
import { compileBook, type PublishedPolicy } from '#policies/deciding/rules/book';
import type { Scale } from './lifecycle/scale.ts';
import { median } from './statistics.ts';

export interface PolicyMatching {
  policies: number;
  /** Milliseconds to compile all of them once. */
  compile: number;
  perSecond: number;
}

const tools = 40;
/** Of any server: every request asks each of them. */
const general = 50;

const kinds = `
policy: of-a-tool
when: request.args.amount > 1000.0 && requester.verified
require: { stages: [{ name: Finance, approve: 2, approvers: { group: finance } }] }
---
policy: of-a-pattern
when: request.risk == "high" && "ops" in requester.groups
require: { stages: [{ name: Operations, approvers: { group: ops } }] }
---
policy: of-any-server
when: request.args.amount > 100000.0 || agent.name.startsWith("test-")
deny: { reason: Never. }
`;

/** Decisions among many policies, by one process: most are of one server and tool, some of patterns, a few of all. */
export function measurePolicies({ policies, decisions, rounds }: Scale): PolicyMatching {
  const published = makePolicies(policies);
  const started = performance.now();
  const book = compileBook(published);
  const compile = performance.now() - started;
  const requests = Array.from({ length: decisions }, (_, at) => makeFacts(at, policies));
  const rates: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const start = performance.now();
    const considered = requests.reduce((sum, facts) => {
      const { explanation } = decide(book, facts);
      return sum + explanation.considered.length + (explanation.passedOver?.length ?? 0);
    }, 0);
    if (considered < general * decisions) throw new TypeError('A policy was not considered.');
    // The first round warms up.
    if (round > 0) rates.push((decisions / (performance.now() - start)) * 1_000);
  }
  return { policies, compile, perSecond: median(rates) };
}

const serverOf = (at: number, policies: number): string => `server-${at % Math.ceil(policies / tools)}`;

function makePolicies(count: number): PublishedPolicy[] {
  const parsed = parsePolicies(kinds);
  if (!parsed.ok) throw new TypeError('The policies of the bench are wrong.');
  const [ofTool, ofPattern, ofAny] = parsed.policies;
  if (!ofTool || !ofPattern || !ofAny) throw new TypeError('A policy of the bench is missing.');
  return Array.from({ length: count }, (_, at) => {
    const server = [serverOf(at, count)];
    const tool = [`tool-${at % tools}`];
    const kind = at < general ? ofAny : at % 5 === 0 ? ofPattern : ofTool;
    const match = kind === ofAny ? {} : kind === ofPattern ? { server, tool: [`*-${at % tools}`] } : { server, tool };
    const document = { ...kind, policy: `${kind.policy}-${at}`, match: { ...kind.match, ...match } };
    return { document, version: 1, authorId: null };
  });
}

const makeFacts = (at: number, policies: number): Facts => ({
  request: {
    server: serverOf(at * 7, policies),
    tool: `tool-${(at * 7) % tools}`,
    args: { amount: 5_000, user: 'DE02', items: [{ name: 'a', count: 3 }] },
    risk: 'medium',
    annotations: { destructiveHint: true },
    mode: 'form',
    audience: null,
    reason: null,
  },
  requester: {
    subject: 'rita@example.com',
    issuer: null,
    verified: true,
    verifiedBy: null,
    email: null,
    groups: ['sales'],
    role: null,
  },
  agent: { name: 'agent', version: '1' },
  tool: { definition: null, reaches: null, fits: false },
  environment: { name: 'production' },
  defaults: { unknownTools: 'requester', requester: 'any', readingTime: 0 },
  now: 1_790_000_000_000,
  answerable: false,
});
