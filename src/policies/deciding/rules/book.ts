import { isForApprovers, isJudgedByName, ownServer } from '#platform/model/names';
import { compileCondition, isElsewhere, type Condition } from '../../language/rules/expression.ts';
import type { Facts, Match, PolicyDocument, Rule } from '../../document/rules/document.ts';
import { hasStar, matchesGlob } from '../../document/rules/directory.ts';

export interface PublishedPolicy {
  document: PolicyDocument;
  version: number;
  /** The author of this version; null if it came from a repository. */
  authorId: string | null;
  /** The space it is of: it is about that space's servers alone. Absent or null if it is global. */
  spaceId?: string | null;
}

/** Every published policy that is not retired, compiled, in the order in which they count, found by server and tool. */
export interface PolicyBook {
  size: number;
  entries: ReadonlyMap<string, readonly BookEntry[]>;
}

export interface BookEntry {
  /** `name@version`. */
  name: string;
  document: PolicyDocument;
  authorId: string | null;
  spaceId: string | null;
  /** The condition of every rule. */
  condition: BookCondition;
  /** In the order in which they are looked at. */
  rules: readonly BookRule[];
}

interface BookRule {
  /** From 1; null if it is the only one of its policy. */
  place: number | null;
  rule: Rule;
  condition: BookCondition;
  /** Its place among the rules of all policies. */
  rank: number;
}

/** Null is always true. A condition that no longer compiles fails in every evaluation. */
export type BookCondition = Condition | null | { failure: string };

/** More combinations than these are found by server alone. */
const maxKeys = 64;

/**
 * Compiles the published versions, except those that retire their policy. A condition that no longer compiles is kept
 * as one that fails.
 */
export function compileBook(policies: readonly PublishedPolicy[]): PolicyBook {
  const deciding = policies.filter(({ document }) => document.retired === null).map(entryOf);
  const ordered = deciding.flatMap((entry) => entry.rules.map((rule) => ({ entry, rule }))).toSorted(compareRules);
  ordered.forEach(({ rule }, rank) => {
    rule.rank = rank;
  });
  const entries = new Map<string, BookEntry[]>();
  for (const entry of deciding.toSorted(byRank)) {
    for (const key of keysOf(entry.document.match)) {
      const entriesOfKey = entries.get(key);
      if (entriesOfKey) entriesOfKey.push(entry);
      else entries.set(key, [entry]);
    }
  }
  return { size: deciding.length, entries };
}

/**
 * The policies whose `match` fits, with the rules that can count, in the order in which they count. Only if the arguments
 * can be read, those are left out whose condition names another server or tool, as if it stood in their `match`; otherwise
 * every condition fails.
 */
export function findCandidates(book: PolicyBook, { request, now, space }: Facts, isReadable = false): BookEntry[] {
  const { naming, here } = entriesFor(book, request.server, request.tool);
  const fitting = (isReadable ? here : naming).filter(
    ({ document, spaceId }) => (spaceId === null || spaceId === space) && fits(document, request),
  );
  return withRules(fitting, ({ rule }) => mayCount(rule, request) && !hasEnded(rule, now));
}

/** The policies that have such rules, each with these alone. */
const withRules = (entries: readonly BookEntry[], isWanted: (rule: BookRule) => boolean): BookEntry[] =>
  entries
    .filter(({ rules }) => rules.some(isWanted))
    .map((entry) => (entry.rules.every(isWanted) ? entry : { ...entry, rules: entry.rules.filter(isWanted) }));

/** The policies that name a server and a tool, by name or pattern, or any; and those whose condition names no others. */
interface NamedEntries {
  naming: readonly BookEntry[];
  here: readonly BookEntry[];
}

/** Cached per book: there are few servers and tools, but agents can make up names of tools. */
const cachedEntries = new WeakMap<PolicyBook, Map<string, NamedEntries>>();
const maxCached = 10_000;

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
    .sort(byRank);
  const isHere = (condition: BookCondition): boolean =>
    condition === null || !('clauses' in condition) || !isElsewhere(condition, { server, tool });
  const here = withRules(
    naming.filter(({ condition }) => isHere(condition)),
    ({ condition }) => isHere(condition),
  );
  if (cache.size >= maxCached) cache.clear();
  cache.set(key, { naming, here });
  return { naming, here };
}

const isNamed = (patterns: string[] | null, name: string): boolean =>
  patterns === null || patterns.some((pattern) => matchesGlob(name, pattern));

/** The stricter first. */
const strictness = ['deny', 'require', 'confirm', 'allow'];

interface RuleOfEntry {
  entry: BookEntry;
  rule: BookRule;
}

/** Denials first; then by priority; then the stricter one; then by name. Rules of one policy otherwise keep their order. */
function compareRules(a: RuleOfEntry, b: RuleOfEntry): number {
  const isDeny = ({ rule: { rule } }: RuleOfEntry): number => Number(rule.outcome === 'deny');
  const rank = ({ rule: { rule } }: RuleOfEntry): number => strictness.indexOf(rule.outcome);
  const [{ document: first }, { document: second }] = [a.entry, b.entry];
  const byName = first.policy < second.policy ? -1 : Number(first.policy > second.policy);
  return isDeny(b) - isDeny(a) || second.priority - first.priority || rank(a) - rank(b) || byName;
}

/** Policies by the rule of theirs that counts first. */
const byRank = (a: BookEntry, b: BookEntry): number => firstRank(a) - firstRank(b);
const firstRank = ({ rules }: BookEntry): number => Math.min(...rules.map(({ rank }) => rank));

function entryOf({ document, version, authorId, spaceId = null }: PublishedPolicy): BookEntry {
  const isAlone = document.rules.length === 1;
  const rules = document.rules.map(({ when, rule }, at) => ({
    place: isAlone ? null : at + 1,
    rule,
    condition: compile(when),
    rank: 0,
  }));
  const name = `${document.policy}@${version}`;
  return { name, document, authorId, spaceId, condition: compile(document.when), rules };
}

function compile(when: string | null): BookCondition {
  const compiled = when === null ? null : compileCondition(when, 'request');
  return compiled && (compiled.ok ? compiled.condition : { failure: compiled.message });
}

/** The keys a policy is found by: its names if all are literal, otherwise null for any. */
function keysOf({ server, tool }: Match): string[] {
  const servers = literalsOf(server);
  const tools = literalsOf(tool);
  const isWide = servers.length * tools.length > maxKeys;
  return servers.flatMap((name) => (isWide ? [keyOf(name, null)] : tools.map((other) => keyOf(name, other))));
}

const literalsOf = (names: string[] | null): (string | null)[] =>
  names === null || names.some(hasStar) ? [null] : [...new Set(names)];

const keyOf = (server: string | null, tool: string | null): string => JSON.stringify([server, tool]);

/** May the requester answer, or no one at all, whatever the risk? */
const isOutOfHand = (rule: Rule): boolean =>
  rule.outcome === 'confirm' || (rule.outcome === 'allow' && rule.ceiling === 'high');

/** Requests by Assentry itself, and results that the client must not see yet, are for approvers alone. */
const mayCount = (rule: Rule, { tool }: Facts['request']): boolean => !isOutOfHand(rule) || !isForApprovers(tool);

const hasEnded = (rule: Rule, now: number): boolean =>
  rule.outcome === 'allow' && rule.until !== null && now >= rule.until;

/** Does all of it fit that is about more than names? */
function fits({ match }: PolicyDocument, request: Facts['request']): boolean {
  // Only a policy that names Assentry itself is about changes of power.
  const isMeant = request.server !== ownServer.name || match.server?.includes(ownServer.name) === true;
  // Only a policy that names tools is about what the gateway asks of itself, such as what a client reads.
  const isNamedFor = !isJudgedByName(request.tool) || match.tool !== null;
  return (
    isMeant &&
    isNamedFor &&
    (match.mode === null || match.mode.includes(request.mode)) &&
    (match.risk === null || match.risk.includes(request.risk)) &&
    (match.audience === null || match.audience === request.audience) &&
    Object.entries(match.annotations).every(([key, value]) => request.annotations[key] === value)
  );
}
