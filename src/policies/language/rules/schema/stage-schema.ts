import { z } from 'zod';
import { meanings } from '#requests/voting/contract/quorum/stage';
import { approversSchema, nameSchema } from './approver-schema.ts';
import { atMost, wholeSchema } from '../../../document/rules/term/schemas.ts';
import { durationSchema } from '../../../document/rules/term/duration.ts';
import type { Share } from '../../../deciding/contract/clause.ts';
import type {
  EscalationRule,
  EscalationRuleStep,
  GroupRule,
  StageRule,
} from '../../../document/rules/document/policy-document.ts';

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
export const stageSchema = z
  .strictObject({ ...stageShape, escalate: escalationSchema.optional() })
  .transform(readStage);

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
export const repeatedStage = (stages: readonly StageRule[]): string | undefined =>
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
