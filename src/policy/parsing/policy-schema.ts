import { isForApprovers } from '../../model/names.ts';
import type { FieldError } from '../../model/problem.ts';
import { formatsIn } from '../../model/words/formats.ts';
import { z } from 'zod';
import { audiences, modes, risks } from '../../model/elicitation.ts';
import { approversSchema, expressionSchema, nameSchema } from './approver-schema.ts';

import { compileCondition } from '../cel/expression.ts';
import { hasStar } from '../terms/glob.ts';
import type { AllowRule, FreezeWindow, PolicyDocument, RequireRule } from '../terms/policy-document.ts';
import { durationSchema } from '../terms/parts/duration.ts';
import { repeatedName, stageSchema } from './stage-schema.ts';
import { atMost, orNull, wholeSchema } from '../terms/parts/schemas.ts';
import { termsShape } from '../terms/term-list.ts';

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
        const twice = repeatedName(stages);
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

const retireSchema = z
  .strictObject({ reason: reasonSchema.describe('Why it ends.') })
  .transform((rule) => ({ outcome: 'retire' as const, ...rule }));

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
    allow: allowSchema.describe('Allow it without asking anyone.').optional(),
    confirm: confirmSchema.describe('Ask the requester, in their own client.').optional(),
    deny: denySchema.describe('Refuse it without asking anyone.').optional(),
    require: requireSchema.describe('Ask people.').optional(),
    retire: retireSchema.describe('Retire the policy: it decides nothing any more.').optional(),
  })
  .transform(({ allow, confirm, deny, require, retire, ...head }, context): PolicyDocument => {
    const rules = [allow, confirm, deny, require, retire].filter((rule) => rule !== undefined);
    const [only, second] = rules;
    if (only?.outcome === 'confirm' && head.match.tool?.some(isForApprovers))
      context.addIssue({ code: 'custom', path: ['confirm'], message: forApprovers });
    if (only?.outcome === 'allow' && only.ceiling === 'high')
      for (const { path, message } of faultsOfHigh(head, only)) context.addIssue({ code: 'custom', path, message });
    if (only && !second) return { ...head, rule: only };
    const path = second ? [second.outcome] : [];
    const message = 'Must have exactly one of `allow`, `confirm`, `deny`, `require` and `retire`.';
    context.addIssue({ code: 'custom', path, message });
    return z.NEVER;
  });

const forApprovers = 'Use `require`: the release of a result, or of a changed definition, is for approvers.';

/** What is of high risk is allowed only in part, and for a while: these tools, with few values of an argument. */
function faultsOfHigh({ match, when }: Pick<PolicyDocument, 'match' | 'when'>, { until }: AllowRule): FieldError[] {
  const compiled = when === null ? null : compileCondition(when, 'request');
  const names = (['server', 'tool'] as const).filter((key) => match[key]?.every((name) => !hasStar(name)) !== true);
  return [
    ...names.map((key) => ({ path: ['match', key], message: `Must name each ${key}, without *: ${forHigh}.` })),
    ...(match.tool?.some(isForApprovers) ? [{ path: ['match', 'tool'], message: forApprovers }] : []),
    ...(compiled === null || (compiled.ok && !compiled.condition.isNarrow)
      ? [{ path: ['when'], message: narrow }]
      : []),
    ...(until === null ? [{ path: ['allow', 'until'], message: `Must be a time: ${forHigh} until then.` }] : []),
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
