import { z } from 'zod';
import { presences } from '#people/directory/contract/presence';
import { personalChannels } from '#notify/chat/contract';
import { audiences, modes, risks } from '#requests/asking/contract/elicitation';
import { raisedBecauses, separatedPersons, type PolicyClause as Clause } from './clause.ts';
import { meanings } from '#requests/voting/contract/stages';
import { Moment } from '#requests/asking/contract/open';

const duration = z.int().meta({ description: 'Milliseconds.' });

const Source = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['anyone', 'manager', 'owner']) }),
  z.object({ kind: z.literal('user'), email: z.string() }),
  z.object({ kind: z.literal('group'), name: z.string() }),
  z.object({ kind: z.literal('role'), role: z.string() }),
  z.object({ kind: z.literal('cel'), expression: z.string() }),
]);
const sources = z.array(Source);

const Match = z.object({
  tool: z.array(z.string()).nullable(),
  server: z.array(z.string()).nullable(),
  mode: z.array(z.enum(modes)).nullable(),
  risk: z.array(z.enum(risks)).nullable(),
  annotations: z.array(z.object({ name: z.string(), value: z.union([z.string(), z.number(), z.boolean()]) })),
  audience: z.enum(audiences).nullable(),
});

const Group = z.object({
  name: z.string(),
  need: z.union([z.object({ count: z.int() }), z.object({ percent: z.number() })]),
  approvers: sources,
  meaning: z.enum(meanings),
  deny: z.int(),
});

/** Parts of a stage that decide it. */
const stageShape = { name: z.string(), complete: z.enum(['all', 'any']), groups: z.array(Group) };

const Step = z.object({
  after: duration,
  mode: z.enum(['add', 'replace', 'stage']),
  approvers: sources,
  approve: z.int().nullable().meta({ description: 'How many must approve from then on; null leaves it as it is.' }),
  stage: z
    .object(stageShape)
    .optional()
    .meta({ description: 'What takes the place of the stage from then on; absent if only the persons change.' }),
});
const Quiet = z.object({ from: z.int(), until: z.int(), timeZone: z.string() });
const Budget = z.object({ argument: z.string(), total: z.number() });

/** One clause of a policy as data; each display words it from its own catalogue. */
export const PolicyClause = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.enum(['unreadable', 'commands-by-part', 'requester', 'start', 'checked-requester']) }),
    z.object({ kind: z.literal('applies'), to: Match, when: z.string().nullable() }),
    z.object({ kind: z.literal('rule'), position: z.int(), when: z.string().nullable() }),
    z.object({ kind: z.enum(['retired', 'denied']), reason: z.string() }),
    z.object({ kind: z.literal('allowed'), ceiling: z.enum(risks).nullable(), until: Moment.nullish() }),
    z.object({ kind: z.literal('confirmed'), ceiling: z.enum(risks) }),
    z.object({ kind: z.literal('sampled'), percent: z.int() }),
    z.object({ kind: z.literal('raised'), because: z.enum(raisedBecauses) }),
    z.object({ kind: z.literal('frozen'), window: z.string() }),
    z.object({ kind: z.literal('stage'), position: z.int().nullable(), ...stageShape }),
    z.object({
      kind: z.literal('escalation'),
      stage: z.string().nullable(),
      steps: z.array(Step),
      rounds: z.int(),
      end: z.enum(['wait', 'deny']),
    }),
    z.object({ kind: z.literal('separation'), excluded: z.array(z.enum(separatedPersons)) }),
    z.object({ kind: z.literal('risk'), risk: z.enum(risks) }),
    z.object({ kind: z.literal('deadline'), after: duration, outcome: z.enum(['expire', 'deny']) }),
    z.object({ kind: z.literal('reminders'), after: z.array(duration), quiet: Quiet.nullable() }),
    z.object({
      kind: z.literal('justification'),
      from: z.enum(['requester', 'approver']),
      minLength: z.int(),
      like: z.string().nullable(),
    }),
    z.object({ kind: z.literal('confirmation'), path: z.string().nullable(), text: z.string().nullable() }),
    z.object({ kind: z.enum(['fresh-sign-in', 'reading-time', 'undo', 'kept']), within: duration }),
    z.object({
      kind: z.literal('presence'),
      needed: z.union([z.enum(presences).exclude(['none']), z.object({ acr: z.string() })]),
    }),
    z.object({ kind: z.literal('pace'), approvals: z.int().nullable(), hasty: z.int().nullable(), within: duration }),
    z.object({ kind: z.literal('editable'), arguments: z.array(z.string()) }),
    z.object({ kind: z.literal('facts'), labels: z.array(z.string()) }),
    z.object({
      kind: z.literal('grant'),
      longest: duration,
      uses: z.int().nullable(),
      budget: Budget.nullable(),
      same: z.array(z.string()),
    }),
    z.object({ kind: z.literal('chat'), channel: z.string().nullable(), vote: z.boolean() }),
    z.object({
      kind: z.literal('notify'),
      channels: z.array(z.enum(personalChannels)).nullable(),
      urgent: z.boolean(),
    }),
    z.object({ kind: z.literal('freeze'), window: z.string(), from: Moment, until: Moment, approvers: sources }),
  ])
  .meta({ id: 'PolicyClause' }) satisfies z.ZodType<Clause>;
export type PolicyClause = z.infer<typeof PolicyClause>;
