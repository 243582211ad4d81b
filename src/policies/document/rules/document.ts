import type { Audience, Mode, Risk } from '#requests/asking/contract/elicitation';
import type { ApproverSource, Share, PolicyClause } from '../../deciding/contract/clause.ts';
import type { Meaning } from '#requests/voting/contract/stages';
import type { PolicyDefaults } from '../../contract/policy.ts';
import type { Role } from '#people/directory/contract/permission';
import { z } from 'zod';
import { chat } from '../../terms/chat.ts';
import { confirmation } from '../../terms/confirmation.ts';
import { deadline } from '../../terms/deadline.ts';
import { editable } from '../../terms/editable.ts';
import { facts } from '../../terms/facts.ts';
import { freshSignIn } from '../../terms/fresh-sign-in.ts';
import { grant } from '../../terms/grant.ts';
import { justification } from '../../terms/justification.ts';
import { notBefore } from '../../terms/not-before.ts';
import { notify } from '../../terms/notify.ts';
import { onTimeout } from '../../terms/on-timeout.ts';
import { pace } from '../../terms/pace.ts';
import { presence } from '../../terms/presence.ts';
import { quietHours } from '../../terms/quiet-hours.ts';
import { readingTime } from '../../terms/reading-time.ts';
import { reminders } from '../../terms/reminders.ts';
import { requester } from '../../terms/requester.ts';
import { risk } from '../../terms/risk.ts';
import { undo } from '../../terms/undo.ts';

/** A policy in normal form: defaults filled in, lists instead of single values, times in milliseconds. */
export interface PolicyDocument {
  policy: string;
  description: string;
  /** The higher one decides. */
  priority: number;
  match: Match;
  /** A CEL condition that holds for every rule; null is always true. */
  when: string | null;
  /** Milliseconds for which content is kept after the end of a request; null keeps it until people erase it. */
  keep: number | null;
  /** The first one that fits decides; none if the policy is retired. */
  rules: PolicyRule[];
  /** Why the policy is retired; null if it is not. */
  retired: string | null;
}

export interface PolicyRule {
  /** A CEL condition; null is always true. */
  when: string | null;
  rule: Rule;
}

/** Pattern of a request; null and an empty record fit any. Names may hold `*`. */
export interface Match {
  server: string[] | null;
  tool: string[] | null;
  mode: Mode[] | null;
  risk: Risk[] | null;
  annotations: Record<string, string | number | boolean>;
  audience: Audience | null;
}

export type Rule = AllowRule | ConfirmRule | DenyRule | RequireRule;

export interface AllowRule {
  outcome: 'allow';
  /** A request of a higher risk is never allowed by itself. */
  ceiling: Risk;
  /** From then on it allows nothing; milliseconds since 1970, null for no end. */
  until: number | null;
  /** Percentage of allowed requests that a person looks at later; null for none. */
  sample: number | null;
  freeze: FreezeWindow[];
}

/** The requester answers, in their own client. */
export interface ConfirmRule {
  outcome: 'confirm';
  /** A request of a higher risk is never left to the requester. */
  ceiling: Risk;
  freeze: FreezeWindow[];
}

export interface DenyRule {
  outcome: 'deny';
  reason: string;
}

export interface RequireRule extends Terms {
  outcome: 'require';
  stages: StageRule[];
  separation: Separation;
  freeze: FreezeWindow[];
}

export interface StageRule {
  name: string;
  /** Whether all of its groups must be complete, or any. */
  complete: 'all' | 'any';
  groups: GroupRule[];
  escalation: EscalationRule | null;
}

export interface GroupRule {
  name: string;
  approve: Share;
  deny: number;
  approvers: ApproverSource[];
  meaning: Meaning;
}

export interface EscalationRule {
  steps: EscalationRuleStep[];
  /** How many rounds of the steps there are. */
  loops: number;
  end: 'wait' | 'deny';
}

export interface EscalationRuleStep {
  /** Milliseconds after the start of the stage, or of the round; ascending. */
  after: number;
  mode: 'add' | 'replace' | 'stage';
  /** Everyone whom the step brings, also by its stage. */
  approvers: ApproverSource[];
  /** How many must approve from then on, in each group; null leaves it as it is. */
  approve: number | null;
  /** The stage that takes its place from then on; null if only the persons change. */
  stage: StageRuleInPlace | null;
}

/** Parts of a stage that decide it. */
export type StageRuleInPlace = Pick<StageRule, 'name' | 'complete' | 'groups'>;

/** People excluded from voting, besides the requester. */
export interface Separation {
  /** The owner of the server the agent asks through. */
  agentOwner: boolean;
  /** Anyone who voted in an earlier stage. */
  earlierVoters: boolean;
  /** The author of the policy's version. */
  author: boolean;
  /** Anyone who edited the request. */
  editor: boolean;
}

/** In this window, one more stage of these persons is needed, even if the rule allows. */
export interface FreezeWindow {
  name: string;
  /** Milliseconds since 1970; `until` is outside. */
  from: number;
  until: number;
  approvers: ApproverSource[];
}

/** A request as policies see it. All but the last two are CEL variables of the same name. */
export interface Facts {
  request: RequestFacts;
  tool: ToolFacts;
  requester: RequesterFacts;
  agent: { name: string | null; version: string | null };
  environment: { name: string };
  /** The installation's defaults; not a CEL variable. */
  defaults: PolicyDefaults;
  /** Milliseconds since 1970; a timestamp in CEL. */
  now: number;
  /** Could it be answered without a person: a form that asks for nothing or has defaults for all it needs? */
  answerable: boolean;
  /** When the requester wants it to start; absent or null is at once. Milliseconds since 1970. */
  startAt?: number | null | undefined;
  /** The space of the server; absent or null if it is global. Not a CEL variable. */
  space?: string | null | undefined;
  /** People who can accept requests by Assentry itself, besides administrators: addresses. Not a CEL variable. */
  spaceAdministrators?: string[] | undefined;
  /** The maker of the key, who decides none of its requests; absent where they may. Not a CEL variable. */
  keyMaker?: string | undefined;
  /** No one has accepted the definition by which the tool claims to read only. Not a CEL variable. */
  unaccepted?: boolean | undefined;
}

interface RequestFacts {
  server: string;
  tool: string;
  args: Record<string, unknown>;
  /** As computed from the tool's annotations. */
  risk: Risk;
  annotations: Record<string, unknown>;
  mode: Mode;
  /** The audience the caller asked for. */
  audience: Audience | null;
  reason: string | null;
}

interface ToolFacts {
  /** The digest of what the server says of the tool, as it was sent with the call; null if none was. */
  definition: string | null;
  /** What its server runs or where it is, as it was sent with the call; null if nothing was. */
  reaches: string | null;
  /** The gateway found the arguments to be as the definition says. */
  fits: boolean;
}

export interface RequesterFacts {
  subject: string;
  issuer: string | null;
  /** True if the server says that it has checked an access token, or Assentry has. */
  verified: boolean;
  /** The issuer whose access token Assentry has checked itself. */
  verifiedBy: string | null;
  email: string | null;
  groups: string[];
  role: Role | null;
}

/** In the order in which they are listed and said. A term that is not here is an unknown key in every policy. */
export const termList = [
  requester,
  risk,
  deadline,
  onTimeout,
  reminders,
  quietHours,
  justification,
  confirmation,
  freshSignIn,
  presence,
  readingTime,
  pace,
  notBefore,
  editable,
  facts,
  undo,
  grant,
  chat,
  notify,
] as const;

type Listed = (typeof termList)[number];

/** Everything a requirement says apart from who must answer. */
export type Terms = { [T in Listed as T['key']]: z.output<T['schema']> };

export const termsShape = byKey(({ schema }) => schema) as { [T in Listed as T['key']]: T['schema'] };

/** The terms of a policy that says nothing of them. */
export const plainTerms: Terms = z.strictObject(termsShape).parse({});

/** Terms no weaker than each of the two, whatever the policies decide. */
export const stricterTerms = (first: Terms, second: Terms, defaults: PolicyDefaults): Terms =>
  byKey(({ key, stricter }) => stricter(first[key], second[key], defaults)) as Terms;

export const describeTerms = (terms: Terms): PolicyClause[] =>
  termList.flatMap(({ key, clauses }: AnyTerm) => clauses(terms[key], terms));

interface AnyTerm {
  key: keyof Terms;
  schema: z.ZodType;
  stricter(first: unknown, second: unknown, defaults: PolicyDefaults): unknown;
  clauses(value: unknown, others: object): PolicyClause[];
}

function byKey<T>(read: (term: AnyTerm) => T): Partial<Record<keyof Terms, T>> {
  return Object.fromEntries(termList.map((term: AnyTerm) => [term.key, read(term)]));
}
