import { z } from 'zod';
import { maxGroupName } from '#platform/model/names';
import { may, isBuiltInRole } from '#people/directory/contract/permission';
import { isRoleName } from '#people/roles/contract';
import { compileCondition, type Scope } from '../expression/expression.ts';
import type { ApproverSource } from '../../../deciding/contract/clause.ts';
import { atMost } from '../../../document/rules/term/schemas.ts';

const kinds = 'anyone, or one of user, group, role, manager, owner, cel';

const nameOf = (most: number) =>
  z
    .string()
    .min(1, 'Must not be empty.')
    .max(most, `Must have at most ${most} characters.`)
    .regex(/^[^\p{C}]*$/u, 'Must have no control or hidden characters.');

export const nameSchema = nameOf(64);

/** A CEL expression. If it does not compile, the issue has the offset within it. */
export const expressionSchema = (scope: Scope) =>
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
export const approversSchema = z
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
