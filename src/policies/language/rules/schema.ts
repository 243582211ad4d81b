import { z } from 'zod';
import { maxGroupName, isForApprovers } from '#platform/model/names';
import { may, isBuiltInRole } from '#people/directory/contract/permission';
import { isRoleName } from '#people/roles/contract';
import { compileCondition, type Scope } from './expression.ts';
import type { ApproverSource, Share } from '../../deciding/contract/clause.ts';
import { atMost, wholeSchema, durationSchema, orNull } from '../../document/rules/term.ts';
import { meanings } from '#requests/voting/contract/stages';
import {
  type EscalationRule,
  type EscalationRuleStep,
  type GroupRule,
  type StageRule,
  type AllowRule,
  type FreezeWindow,
  type PolicyDocument,
  type PolicyRule,
  type RequireRule,
  type Rule,
  termsShape,
} from '../../document/rules/document.ts';
import type { FieldError } from '#platform/model/problem';
import { formatsIn } from '#platform/text/formats';
import { audiences, modes, risks } from '#requests/asking/contract/elicitation';
import { hasStar } from '../../document/rules/directory.ts';

const kinds = 'anyone, or one of user, group, role, manager, owner, cel';

const nameOf = (most: number) =>
  z
    .string()
    .min(1, 'Must not be empty.')
    .max(most, `Must have at most ${most} characters.`)
    .regex(/^[^\p{C}]*$/u, 'Must have no control or hidden characters.');

const nameSchema = nameOf(64);

/** A CEL expression. If it does not compile, the issue has the offset within it. */
const expressionSchema = (scope: Scope) =>
  z.string({ error: `Must be a condition as text, such as '${examples[scope]}'.` }).superRefine((text, context) => {
    const compiled = compileCondition(text, scope);
    if (compiled.ok) return;
    context.addIssue({ code: 'custom', message: compiled.message, params: { offset: compiled.offset } });
  });

const examples: Record<Scope, string> = {
  request: 'request.args.amount > 100',
  user: '"emea" in user.groups',
};

const votingRoles =
  'Must be admin, approver, or a role that the installation has made: no other built-in role can vote.';

const keys = {
  user: z.email('Must be an email address, such as ada@example.com.').describe('One person, by email address.'),
  group: nameOf(maxGroupName).describe('Everyone of a group.'),
  role: z
    .string(votingRoles)
    .refine((role) => (isBuiltInRole(role) ? may(role, 'decide') : isRoleName(role)), votingRoles)
    .describe('Everyone of a role: admin, approver, or one that the installation has made.'),
  manager: z.literal('requester').describe("The requester's manager."),
  owner: z.literal('server').describe('The owner of the MCP server that asks.'),
  cel: expressionSchema('user').describe('Everyone for whom this CEL expression about `user` is true.'),
};

/** One source of approvers: the word `anyone`, or a record with exactly one key. */
const sourceSchema = z.union(
  [
    z.literal('anyone').transform((): ApproverSource => ({ kind: 'anyone' })),
    z.strictObject(keys).partial().transform(readSource),
  ],
  { error: `Must be ${kinds}.` },
);

/** A source, or a list of them: anyone who is in any of them may vote. */
const approversSchema = z
  .union(
    [
      sourceSchema.transform((source) => [source]),
      z.array(sourceSchema).min(1, `Must name ${kinds}.`).max(20, atMost(20)),
    ],
    {
      error: `Must be ${kinds}, or a list of these.`,
    },
  )
  .describe('Who may vote: anyone, a source, or a list of sources.');

type Keys = { [K in keyof typeof keys]?: z.output<(typeof keys)[K]> | undefined };

function readSource(source: Keys, context: z.RefinementCtx): ApproverSource {
  if (context.issues.length > 0) return z.NEVER; // a key that is none was told already
  const [only, second] = Object.keys(source);
  if (only === undefined || second !== undefined) {
    context.addIssue({ code: 'custom', message: `Must have exactly one of user, group, role, manager, owner, cel.` });
    return z.NEVER;
  }
  if (source.user !== undefined) return { kind: 'user', email: source.user };
  if (source.group !== undefined) return { kind: 'group', name: source.group };
  if (source.role !== undefined) return { kind: 'role', role: source.role };
  if (source.cel !== undefined) return { kind: 'cel', expression: source.cel };
  return { kind: source.manager === undefined ? 'owner' : 'manager' };
}

const count = wholeSchema(1, 50);

const shareSchema = z
  .union(
    [
      count.transform((value): Share => ({ count: value })),
      z
        .string()
        .regex(/^([1-9]\d?|100)%$/, 'Must be between "1%" and "100%".')
        .transform((text): Share => ({ percent: Number(text.slice(0, -1)) })),
    ],
    { error: 'Must be a number of persons, or a percentage such as "50%".' },
  )
  .describe('How many distinct persons must approve: a number, or a percentage of those who may. Default 1.');

const quorum = {
  approve: shareSchema.optional(),
  deny: count.describe('How many distinct persons end it by declining. Default 1.').optional(),
  meaning: z.enum(meanings).describe('What the signature means. Default approved.').optional(),
};

const groupSchema = z.strictObject({
  name: nameSchema.describe('What people see of the group.'),
  approvers: approversSchema,
  ...quorum,
});

type GroupInput = Omit<z.output<typeof groupSchema>, 'name'>;

const groupOf = (name: string, { approvers, approve, deny, meaning }: GroupInput): GroupRule => ({
  name,
  approvers,
  approve: approve ?? { count: 1 },
  deny: deny ?? 1,
  meaning: meaning ?? 'approved',
});

const stageShape = {
  name: nameSchema.describe('What people see of the stage.'),
  approvers: approversSchema.optional(),
  ...quorum,
  groups: z
    .array(groupSchema)
    .min(1, 'Must have at least one group.')
    .max(10, atMost(10))
    .describe('Several groups that vote at the same time.')
    .optional(),
  complete: z.enum(['all', 'any']).describe('Which of its groups must be complete. Default all.').optional(),
};

const afterSchema = durationSchema('1s', '30d');
const change = {
  add: approversSchema.describe('These may vote too.').optional(),
  replace: approversSchema.describe('These vote instead.').optional(),
  stage: z
    .strictObject(stageShape)
    .transform(readStage)
    .describe('This stage takes the place of the one that no one decided. Voting in it begins again.')
    .optional(),
  approve: count
    .describe('How many of them must approve from then on. Voting in the stage begins again. Default: as before.')
    .optional(),
};
const stepSchema = z
  .strictObject({ after: afterSchema.describe('From the start of the stage, or of the round.'), ...change })
  .transform(readStep);

const escalationSchema = z
  .strictObject({
    after: z
      .union([afterSchema, z.array(stepSchema).min(1, 'Must have at least one step.').max(10, atMost(10))], {
        error: 'Must be a duration such as 10m, or a list of steps.',
      })
      .describe('When: a duration with `add`, `replace` or `stage` next to it, or a list of steps.'),
    ...change,
    loops: wholeSchema(1, 10).describe('How many rounds of the steps there are. Default 1.').optional(),
    // oxlint-disable-next-line unicorn/no-thenable -- a word of the language; no one awaits it
    then: z.enum(['wait', 'deny']).describe('What follows the last step. Default wait.').optional(),
  })
  .transform(readEscalation)
  .describe('What happens while no one decides a stage.');

/** A stage: in its short form one group, else a list of `groups`. */
const stageSchema = z.strictObject({ ...stageShape, escalate: escalationSchema.optional() }).transform(readStage);

function readStage(input: Omit<GroupInput, 'approvers'> & StageInput, context: z.RefinementCtx): StageRule {
  const { name, groups, complete, escalate, approvers, ...rest } = input;
  const extra = ['approvers', 'approve', 'deny', 'meaning'].filter((key) => Object.hasOwn(input, key));
  const refuse = (path: string[], message: string) => {
    context.addIssue({ code: 'custom', path, message });
    return z.NEVER;
  };
  if (groups && extra[0]) return refuse([extra[0]], 'Set this on each entry of `groups`, not next to `groups`.');
  if (!groups && complete) return refuse(['complete'], 'Remove this, or give the stage `groups`: it has none.');
  const own = approvers ? [groupOf(name, { approvers, ...rest })] : null;
  const all = groups?.map((group) => groupOf(group.name, group)) ?? own;
  if (!all) return refuse([], 'Must have `approvers`, or `groups` that have them.');
  const twice = repeatedName(all);
  if (twice !== undefined) return refuse(['groups'], `Must have different names: ${twice} is used twice.`);
  return { name, complete: complete ?? 'all', groups: all, escalation: escalate ?? null };
}

/** The first name that a stage has twice, or that what takes its place has as well. */
const repeatedStage = (stages: readonly StageRule[]): string | undefined =>
  repeatedName(stages) ?? namesInPlace(stages).find((name) => stages.some((stage) => stage.name === name));

const namesInPlace = (stages: readonly StageRule[]): string[] =>
  stages.flatMap(({ escalation }) => escalation?.steps.flatMap(({ stage }) => stage?.name ?? []) ?? []);

/** The first name that two of these have. */
const repeatedName = (all: readonly { name: string }[]): string | undefined =>
  all.find(({ name }, at) => all.findIndex((group) => group.name === name) !== at)?.name;

interface StageInput {
  name: string;
  approvers?: GroupRule['approvers'] | undefined;
  groups?: z.output<typeof groupSchema>[] | undefined;
  complete?: 'all' | 'any' | undefined;
  escalate?: EscalationRule | undefined;
}

interface ChangeInput {
  add?: GroupRule['approvers'] | undefined;
  replace?: GroupRule['approvers'] | undefined;
  stage?: StageRule | undefined;
  approve?: number | undefined;
}

function readStep(input: ChangeInput & { after: number }, context: z.RefinementCtx): EscalationRuleStep {
  const { add, replace, stage, after, approve = null } = input;
  const [mode, another] = (['add', 'replace', 'stage'] as const).filter((key) => input[key] !== undefined);
  if (mode === undefined || another) {
    context.addIssue({ code: 'custom', message: 'Must have exactly one of `add`, `replace` and `stage`.' });
    return z.NEVER;
  }
  if (!stage) return { after, mode, approvers: add ?? replace ?? [], approve, stage: null };
  if (approve !== null) context.addIssue({ code: 'custom', path: ['approve'], message: 'Set this in its `stage`.' });
  const { name, complete, groups } = stage;
  const approvers = groups.flatMap((group) => group.approvers);
  return { after, mode, approvers, approve: null, stage: { name, complete, groups } };
}

function readEscalation(
  input: ChangeInput & {
    after: number | EscalationRuleStep[];
    loops?: number | undefined;
    then?: 'wait' | 'deny' | undefined;
  },
  context: z.RefinementCtx,
): EscalationRule {
  const { after, add, replace, stage, approve, loops = 1, then: end = 'wait' } = input;
  if (typeof after === 'number')
    return { steps: [readStep({ after, add, replace, stage, approve }, context)], loops, end };
  const late = after.findIndex((step, at) => step.after <= (after[at - 1]?.after ?? 0));
  const misplaced = (['add', 'replace', 'stage', 'approve'] as const).find((key) => input[key] !== undefined);
  if (late < 0 && misplaced === undefined) return { steps: after, loops, end };
  context.addIssue(
    late < 0
      ? { code: 'custom', path: [misplaced ?? 'add'], message: 'Set this on each step.' }
      : { code: 'custom', path: ['after', late, 'after'], message: 'Must be later than the step before.' },
  );
  return z.NEVER;
}

const { any } = formatsIn('en');

const reasonSchema = z.string().min(1, 'Must not be empty.').max(500, 'Must have at most 500 characters.');

// A name that MCP does not have would match nothing, however much it looks like one that would.
const pattern = z
  .string()
  .min(1, 'Must not be empty.')
  .regex(/^[A-Za-z0-9_.*-]{1,200}$/, 'Must have 1 to 200 letters A to Z, digits, dots, dashes, underscores and `*`.');

const matchSchema = z.strictObject({
  server: oneOrMore(pattern, 'a name')
    .describe('Names of MCP servers; `*` stands for any characters.')
    .optional()
    .transform(orNull),
  tool: oneOrMore(pattern, 'a name')
    .describe('Names of tools; `*` stands for any characters.')
    .optional()
    .transform(orNull),
  mode: oneOrMore(z.enum(modes), any(modes)).describe('form or url.').optional().transform(orNull),
  risk: oneOrMore(z.enum(risks), any(risks))
    .describe('The risk computed from the annotations.')
    .optional()
    .transform(orNull),
  annotations: z
    .record(
      z.string().max(100, 'Must have at most 100 characters.'),
      z.union([z.boolean(), z.number(), z.string().max(200, 'Must have at most 200 characters.')], {
        error: 'Must be true, false, a number or text.',
      }),
    )
    .describe("The tool's annotations, each with the value it must have.")
    .default({}),
  audience: z.enum(audiences).describe('Only if the caller asks for this audience.').optional().transform(orNull),
});

const freezeSchema = z
  .array(
    z
      .strictObject({
        name: nameSchema.describe('What people see of the window.'),
        from: instant('When it begins.'),
        until: instant('When it ends.'),
        approvers: approversSchema,
      })
      .refine(({ from, until }: FreezeWindow) => !(from >= until), { path: ['until'], error: 'Must be after `from`.' }),
  )
  .max(50, atMost(50))
  .describe('While one of these windows is open, one more stage of its approvers is needed.')
  .default([]);

const requireSchema = z
  .strictObject({
    stages: z
      .array(stageSchema)
      .min(1, 'Must have at least one stage.')
      .max(10, 'Must have at most 10 stages.')
      .superRefine((stages, context) => {
        const twice = repeatedStage(stages);
        const message = `Must have different names: ${twice} is used twice.`;
        if (twice !== undefined) context.addIssue({ code: 'custom', message });
      })
      .describe('Who must approve, one stage after the other.'),
    separation: z
      .strictObject({
        agentOwner: flag("The owner of the agent's server may not vote."),
        earlierVoters: flag('Anyone who voted in an earlier stage may not vote again.'),
        author: flag("The policy's author may not vote."),
        editor: flag('Anyone who edited the request may not vote.'),
      })
      .describe('Who may not vote. The requester never may.')
      .default({ agentOwner: false, earlierVoters: false, author: false, editor: false }),
    ...termsShape,
    freeze: freezeSchema,
  })
  .transform((rule): RequireRule => ({ outcome: 'require', ...rule }));

const allowSchema = z
  .strictObject({
    ceiling: z.enum(risks).describe('Never above this risk. Default low; high only for few calls.').default('low'),
    until: instant('From then on it allows nothing.').optional().transform(orNull),
    sample: z
      .string({ error: 'Must be a percentage such as "5%".' })
      .regex(/^([1-9]\d?|100)%$/, 'Must be between "1%" and "100%".')
      .transform((text) => Number(text.slice(0, -1)))
      .describe('The share of what it allows that a person looks at later, such as 5%. Default none.')
      .optional()
      .transform(orNull),
    freeze: freezeSchema,
  })
  .transform((rule) => ({ outcome: 'allow' as const, ...rule }));

const confirmSchema = z
  .strictObject({
    ceiling: z.enum(risks).describe('Never above this risk. Default medium.').default('medium'),
    freeze: freezeSchema,
  })
  .transform((rule) => ({ outcome: 'confirm' as const, ...rule }));

const denySchema = z
  .strictObject({ reason: reasonSchema.describe('The reason shown to the requester.') })
  .transform((rule) => ({ outcome: 'deny' as const, ...rule }));

const retireSchema = z.strictObject({ reason: reasonSchema.describe('Why it ends.') });

const outcomesShape = {
  allow: allowSchema.describe('Allow it without asking anyone.').optional(),
  confirm: confirmSchema.describe('Ask the requester, in their own client.').optional(),
  deny: denySchema.describe('Refuse it without asking anyone.').optional(),
  require: requireSchema.describe('Ask people.').optional(),
};

const entrySchema = z
  .strictObject({
    when: expressionSchema('request').describe('A CEL condition; only the last rule can be without.').optional(),
    ...outcomesShape,
  })
  .transform(({ when = null, ...outcomes }, context): PolicyRule => {
    const [rule, second] = rulesIn(outcomes);
    if (rule && !second) return { when, rule };
    const message = 'Must have exactly one of `allow`, `confirm`, `deny` and `require`.';
    context.addIssue({ code: 'custom', path: second ? [second.outcome] : [], message });
    return z.NEVER;
  });

const rulesSchema = z
  .array(entrySchema)
  .min(1, 'Must have at least one rule.')
  .max(20, atMost(20))
  .superRefine((rules, context) => {
    const end = rules.findIndex(({ when }) => when === null);
    if (end >= 0 && end < rules.length - 1)
      context.addIssue({ code: 'custom', path: [end + 1], message: unreachable(end + 1) });
  })
  .describe('Several rules instead of one: the first whose condition is true decides.');

const unreachable = (place: number): string =>
  `Move this above rule ${place}, or give that one a \`when\`: without one it decides everything, and nothing comes here.`;

/** A policy as it is written. What it parses to has every default filled. */
export const policyDocumentSchema = z
  .strictObject({
    policy: z
      .string()
      .regex(/^[a-z0-9-]{1,64}$/, 'Must have 1 to 64 lower-case letters, digits and hyphens.')
      .describe('The name of the policy.'),
    description: z.string().max(500, 'Must have at most 500 characters.').describe('What it is for.').default(''),
    priority: wholeSchema(-1_000, 1_000).describe('The highest priority decides. Default 0.').default(0),
    match: matchSchema.describe('Which requests it applies to; any if absent.').prefault({}),
    when: expressionSchema('request').describe('A CEL condition.').optional().transform(orNull),
    keep: durationSchema('1d', '3660d')
      .describe('How long content is kept after the end of a request; without it, until people erase it.')
      .optional()
      .transform(orNull),
    ...outcomesShape,
    rules: rulesSchema.optional(),
    retire: retireSchema.describe('Retire the policy: it decides nothing any more.').optional(),
  })
  .transform(({ allow, confirm, deny, require, rules, retire, ...head }, context): PolicyDocument => {
    const own = rulesIn({ allow, confirm, deny, require });
    const keys = [...own.map(({ outcome }) => outcome), ...(rules ? ['rules'] : []), ...(retire ? ['retire'] : [])];
    if (keys.length !== 1) {
      const message = 'Must have exactly one of `allow`, `confirm`, `deny`, `require`, `rules` and `retire`.';
      context.addIssue({ code: 'custom', path: keys.slice(1, 2), message });
      return z.NEVER;
    }
    const all = rules ?? own.map((rule) => ({ when: null, rule }));
    for (const { path, message } of faultsOf(head, all, rules !== undefined))
      context.addIssue({ code: 'custom', path, message });
    return { ...head, ...joined(head.when, all), retired: retire?.reason ?? null };
  });

/** The rules of a policy or of an entry of its list, in the order of their names. */
function rulesIn({
  allow,
  confirm,
  deny,
  require,
}: { [K in Rule['outcome']]?: Extract<Rule, { outcome: K }> | undefined }): Rule[] {
  return [allow, confirm, deny, require].filter((rule) => rule !== undefined);
}

/** A list of one rule is written as that rule would be written alone. */
function joined(when: string | null, rules: PolicyRule[]): Pick<PolicyDocument, 'when' | 'rules'> {
  const [only, second] = rules;
  if (!only || second || when !== null) return { when, rules };
  return { when: only.when, rules: [{ when: null, rule: only.rule }] };
}

const forApprovers = 'Use `require`: the release of a result, or of a changed definition, is for approvers.';

/** Faults of rules against the policy's own match. */
function faultsOf({ match, when }: Pick<PolicyDocument, 'match' | 'when'>, rules: PolicyRule[], isList: boolean) {
  return [
    ...(rules.some(isOfHigh) ? faultsOfHighMatch(match) : []),
    ...rules.flatMap((rule, at): FieldError[] => {
      const place = isList ? ['rules', at] : [];
      if (isOfHigh(rule)) return faultsOfHigh(when, rule, place);
      const isForbidden = rule.rule.outcome === 'confirm' && match.tool?.some(isForApprovers) === true;
      return isForbidden ? [{ path: [...place, 'confirm'], message: forApprovers }] : [];
    }),
  ];
}

type HighRule = PolicyRule & { rule: AllowRule };

const isOfHigh = (entry: PolicyRule): entry is HighRule =>
  entry.rule.outcome === 'allow' && entry.rule.ceiling === 'high';

/** Calls of high risk are allowed only in part, and for a while: these tools, with few values of an argument. */
function faultsOfHighMatch(match: PolicyDocument['match']): FieldError[] {
  const names = (['server', 'tool'] as const).filter((key) => match[key]?.every((name) => !hasStar(name)) !== true);
  return [
    ...names.map((key) => ({ path: ['match', key], message: `Must name each ${key}, without *: ${forHigh}.` })),
    ...(match.tool?.some(isForApprovers) ? [{ path: ['match', 'tool'], message: forApprovers }] : []),
  ];
}

function faultsOfHigh(shared: string | null, { when, rule }: HighRule, place: FieldError['path']): FieldError[] {
  const conditions = [shared, when].flatMap((text) => (text === null ? [] : [compileCondition(text, 'request')]));
  const isNarrow = conditions.some((compiled) => !compiled.ok || compiled.condition.isNarrow);
  const isOpen = rule.until === null;
  return [
    ...(isNarrow ? [] : [{ path: [...place, 'when'], message: narrow }]),
    ...(isOpen ? [{ path: [...place, 'allow', 'until'], message: `Must be a time: ${forHigh} until then.` }] : []),
  ];
}

const forHigh = 'high risk is allowed for a few calls only';
const narrow =
  'Must limit an argument, such as inFolder(request.args.path, "/home/ada/project"), ' +
  'onSite(request.args.url, "https://example.com"), request.args.repo == "site" or request.args.amount <= 100.';

/** The JSON Schema of a policy, with a sentence for each key: for editors that complete and check. */
export const policySchema = (): Record<string, unknown> => z.toJSONSchema(policyDocumentSchema, { io: 'input' });

function oneOrMore<T extends z.ZodType<string>>(item: T, what: string) {
  const list = z.array(item).min(1, 'Must not be empty.').max(50, atMost(50));
  return z.union([item.transform((single) => [single]), list], { error: `Must be ${what}, or a list of these.` });
}

function flag(description: string) {
  return z.boolean().describe(`${description} Default false.`).default(false);
}

function instant(description: string) {
  return z.iso
    .datetime({ offset: true, error: 'Must be a time such as 2026-12-24T00:00:00Z.' })
    .transform((text) => Date.parse(text))
    .describe(description);
}
