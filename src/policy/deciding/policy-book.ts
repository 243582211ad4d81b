import { isForApprovers, isJudgedByName, ownServer } from '../../model/names.ts';
import { compileCondition, isElsewhere, type Condition } from '../cel/expression.ts';
import type { Facts } from '../terms/facts.ts';
import { hasStar, matchesGlob } from '../terms/glob.ts';
import type { DecidingRule, Match, PolicyDocument } from '../terms/policy-document.ts';

export interface PublishedPolicy {
  document: PolicyDocument;
  version: number;
  /** Who wrote this version; null if it came from a repository. */
  authorId: string | null;
  /** The space it is of: it is about that space's servers alone. Absent or null if it is global. */
  spaceId?: string | null;
}

/** Every published policy that is not retired, compiled, in the order in which they count, found by server and tool. */
export interface PolicyBook {
  size: number;
  entries: ReadonlyMap<string, readonly BookEntry[]>;
}

interface DecidingDocument extends PolicyDocument {
  rule: DecidingRule;
}

interface DecidingPolicy extends PublishedPolicy {
  document: DecidingDocument;
}

export interface BookEntry {
  /** `name@version`. */
  name: string;
  document: DecidingDocument;
  authorId: string | null;
  spaceId: string | null;
  /** Null is always true. One that no longer compiles fails in every evaluation. */
  condition: Condition | null | { failure: string };
  rank: number;
}

/** More combinations than these are found by server alone. */
const mostKeys = 64;

/**
 * Compiles the published versions, except those that retire their policy. A condition that no longer compiles is kept
 * as one that fails.
 */
export function compileBook(policies: readonly PublishedPolicy[]): PolicyBook {
  const ordered = policies.filter(isDeciding).toSorted((a, b) => compareRules(a.document, b.document));
  const entries = new Map<string, BookEntry[]>();
  ordered.forEach((policy, rank) => {
    const entry = entryOf(policy, rank);
    for (const key of keysOf(policy.document.match)) {
      const entriesOfKey = entries.get(key);
      if (entriesOfKey) entriesOfKey.push(entry);
      else entries.set(key, [entry]);
    }
  });
  return { size: ordered.length, entries };
}

const isDeciding = (policy: PublishedPolicy): policy is DecidingPolicy => policy.document.rule.outcome !== 'retire';

/**
 * The policies whose `match` fits, in the order in which they count. Only if the arguments can be read, those are left out
 * whose condition names another server or tool, as if it stood in their `match`; otherwise every condition fails.
 */
export function findCandidates(book: PolicyBook, { request, now, space }: Facts, isReadable = false): BookEntry[] {
  const { naming, here } = entriesFor(book, request.server, request.tool);
  return (isReadable ? here : naming).filter(
    ({ document, spaceId }) =>
      (spaceId === null || spaceId === space) && fits(document, request) && !hasEnded(document, now),
  );
}

/** The policies that name a server and a tool, by name or pattern, or any; and those whose condition names no others. */
interface NamedEntries {
  naming: readonly BookEntry[];
  here: readonly BookEntry[];
}

/** Of each book: there are few servers and tools, but agents can make up names of tools. */
const cachedEntries = new WeakMap<PolicyBook, Map<string, NamedEntries>>();
const mostCached = 10_000;

/** Patterns and names are compared once. */
function entriesFor(book: PolicyBook, server: string, tool: string): NamedEntries {
  const cache = cachedEntries.get(book) ?? new Map<string, NamedEntries>();
  cachedEntries.set(book, cache);
  const key = keyOf(server, tool);
  const cached = cache.get(key);
  if (cached) return cached;
  const naming = [key, keyOf(server, null), keyOf(null, tool), keyOf(null, null)]
    .flatMap((key) => book.entries.get(key) ?? [])
    .filter(({ document: { match } }) => isNamed(match.server, server) && isNamed(match.tool, tool))
    .sort((a, b) => a.rank - b.rank);
  const here = naming.filter(
    ({ condition }) => condition === null || !('clauses' in condition) || !isElsewhere(condition, { server, tool }),
  );
  if (cache.size >= mostCached) cache.clear();
  cache.set(key, { naming, here });
  return { naming, here };
}

const isNamed = (patterns: string[] | null, name: string): boolean =>
  patterns === null || patterns.some((pattern) => matchesGlob(name, pattern));

/** The stricter first. */
const strictness = ['deny', 'require', 'confirm', 'allow', 'retire'];

/** Denials first; then by priority; then the stricter one; then by name. */
function compareRules(a: PolicyDocument, b: PolicyDocument): number {
  const isDeny = ({ rule }: PolicyDocument): number => Number(rule.outcome === 'deny');
  const rank = ({ rule }: PolicyDocument): number => strictness.indexOf(rule.outcome);
  const byName = a.policy < b.policy ? -1 : Number(a.policy > b.policy);
  return isDeny(b) - isDeny(a) || b.priority - a.priority || rank(a) - rank(b) || byName;
}

function entryOf({ document, version, authorId, spaceId = null }: DecidingPolicy, rank: number): BookEntry {
  const compiled = document.when === null ? null : compileCondition(document.when, 'request');
  const condition = compiled && (compiled.ok ? compiled.condition : { failure: compiled.message });
  return { name: `${document.policy}@${version}`, document, authorId, spaceId, condition, rank };
}

/** The keys a policy is found by: its names if all are literal, otherwise null for any. */
function keysOf({ server, tool }: Match): string[] {
  const servers = literalsOf(server);
  const tools = literalsOf(tool);
  const isWide = servers.length * tools.length > mostKeys;
  return servers.flatMap((name) => (isWide ? [keyOf(name, null)] : tools.map((other) => keyOf(name, other))));
}

const literalsOf = (names: string[] | null): (string | null)[] =>
  names === null || names.some(hasStar) ? [null] : [...new Set(names)];

const keyOf = (server: string | null, tool: string | null): string => JSON.stringify([server, tool]);

/** May the requester answer, or no one at all, whatever the risk? */
const isOutOfHand = (rule: DecidingRule): boolean =>
  rule.outcome === 'confirm' || (rule.outcome === 'allow' && rule.ceiling === 'high');

const hasEnded = ({ rule }: DecidingDocument, now: number): boolean =>
  rule.outcome === 'allow' && rule.until !== null && now >= rule.until;

/** Does all of it fit that is about more than names? */
function fits({ match, rule }: DecidingDocument, request: Facts['request']): boolean {
  // Only a policy that names Assentry itself is about changes of power.
  const isMeant = request.server !== ownServer.name || match.server?.includes(ownServer.name) === true;
  // Only a policy that names tools is about what the gateway asks of itself, such as what a client reads.
  const isNamedFor = !isJudgedByName(request.tool) || match.tool !== null;
  // What Assentry itself asks and what the client must not see yet is for approvers alone.
  const isTheirs = !isOutOfHand(rule) || !isForApprovers(request.tool);
  return (
    isMeant &&
    isNamedFor &&
    isTheirs &&
    (match.mode === null || match.mode.includes(request.mode)) &&
    (match.risk === null || match.risk.includes(request.risk)) &&
    (match.audience === null || match.audience === request.audience) &&
    Object.entries(match.annotations).every(([key, value]) => request.annotations[key] === value)
  );
}
