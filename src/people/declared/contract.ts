import { z } from 'zod';
import { maxConfirmDays } from '../groups/contract.ts';
import { namePattern, nameRule } from '#platform/model/names';
import { idText } from '#platform/http/contract/problem';
import { RefusalCode, type RouteContract } from '#platform/http/contract/route';
import { changed, WaitingChange } from '../changes/contract.ts';
import { NewRole } from '../roles/contract.ts';
import { AddUser, email, NewGroup, Role, UserId } from '../users/contract.ts';

/** The API of a directory that is declared in a file. */
const groupName = NewGroup.shape.name;
const serverName = z.string().regex(namePattern, nameRule);

const DeclaredPerson = z.strictObject({
  email,
  name: AddUser.shape.name.optional().meta({ description: 'Needed of someone new, as is the role.' }),
  role: Role.optional(),
  manager: email.nullable().optional(),
  groups: z
    .array(groupName)
    .max(100)
    .optional()
    .meta({ description: 'All groups that they are in by administrators.' }),
  mayBreakGlass: z.boolean().optional(),
  disabled: z.boolean().optional(),
});
export type DeclaredPerson = z.output<typeof DeclaredPerson>;

const DeclaredGroup = NewGroup.extend({
  confirm: z
    .strictObject({
      days: z.int().min(1).max(maxConfirmDays),
      owners: z.array(email).max(50).optional(),
    })
    .nullable()
    .optional()
    .meta({ description: 'Who confirms its members, and how often; null if no one needs to.' }),
}).meta({ id: 'DeclaredGroup' });

const ApplyDirectory = z
  .strictObject({
    roles: z.array(NewRole).max(50).optional(),
    people: z.array(DeclaredPerson).max(5_000).optional(),
    groups: z.array(DeclaredGroup).max(1_000).optional(),
    servers: z
      .array(z.strictObject({ name: serverName, owner: email.nullable().optional() }))
      .max(2_000)
      .optional(),
    prune: z.boolean().optional().meta({
      description:
        'Disable the people and delete the groups that a list leaves out, apart from those of an identity provider.',
    }),
    dryRun: z.boolean().optional().meta({ description: 'Change nothing, and say what would be changed.' }),
  })
  .meta({ id: 'ApplyDirectory', description: 'The directory as it is to be. What is absent stays as it is.' });
export type ApplyDirectory = z.output<typeof ApplyDirectory>;

/** Someone who is here already has an id as well: an address may change hands. */
const PersonRef = z
  .object({ id: UserId.optional(), email: z.string() })
  .meta({ description: 'Without an id, someone who is added by the same request.' });
export type PersonRef = z.infer<typeof PersonRef>;

const PersonSettings = z
  .object({
    name: z.string(),
    role: Role,
    manager: PersonRef.nullable(),
    mayBreakGlass: z.boolean(),
    disabled: z.boolean(),
  })
  .partial();
export type PersonSettings = z.infer<typeof PersonSettings>;

const Confirmation = z
  .object({ days: z.number().nullable(), owners: z.array(PersonRef) })
  .meta({ description: 'Without days, no one needs to confirm the members.' });
export type Confirmation = z.infer<typeof Confirmation>;

/** One difference between the directory and what was declared. */
const DirectoryStep = z
  .discriminatedUnion('change', [
    z.object({ change: z.literal('add-group'), group: z.string(), description: z.string() }),
    z.object({ change: z.literal('add-role'), role: z.string(), permissions: z.array(z.string()) }),
    z.object({
      change: z.literal('change-role'),
      role: z.string(),
      from: z.array(z.string()),
      to: z.array(z.string()),
      people: z.array(PersonRef).meta({ description: 'Who has it.' }),
    }),
    z.object({ change: z.literal('remove-role'), role: z.string() }),
    z.object({ change: z.literal('change-group'), group: z.string(), from: z.string(), to: z.string() }),
    z.object({ change: z.literal('delete-group'), group: z.string() }),
    z.object({
      change: z.literal('add-person'),
      email: z.string(),
      name: z.string(),
      role: Role,
      manager: PersonRef.nullable(),
      groups: z.array(z.string()),
    }),
    z.object({ change: z.literal('change-person'), person: PersonRef, from: PersonSettings, to: PersonSettings }),
    z.object({
      change: z.literal('change-members'),
      group: z.string(),
      add: z.array(PersonRef),
      remove: z.array(PersonRef),
    }),
    z.object({ change: z.literal('set-confirmation'), group: z.string(), from: Confirmation, to: Confirmation }),
    z.object({ change: z.literal('add-server'), server: z.string() }),
    z.object({
      change: z.literal('set-owner'),
      server: z.string(),
      from: PersonRef.nullable(),
      to: PersonRef.nullable(),
    }),
  ])
  .meta({ id: 'DirectoryStep' });
export type DirectoryStep = z.infer<typeof DirectoryStep>;

const AppliedDirectory = z.object({ changes: z.array(DirectoryStep) }).meta({ id: 'AppliedDirectory' });
export type AppliedDirectory = z.infer<typeof AppliedDirectory>;

const WaitingDirectory = WaitingChange.extend(AppliedDirectory.shape).meta({ id: 'WaitingDirectory' });
export type WaitingDirectory = z.infer<typeof WaitingDirectory>;

/** State of a change that waits for a second administrator. */
const ChangeState = z
  .object({
    state: z.enum(['waiting', 'accepted', 'made', 'refused', 'not-made']).meta({
      description:
        '`accepted` is about to be made. `refused`: someone declined or withdrew it, or its time is over. `not-made`: it was accepted and is no longer possible.',
    }),
    because: RefusalCode.nullable().meta({ description: 'Why it was not made.' }),
  })
  .meta({ id: 'ChangeState' });
export type ChangeState = z.infer<typeof ChangeState>;

export const applyRoutes = {
  applyDirectory: {
    method: 'post',
    path: '/api/directory/apply',
    auth: 'session-or-token',
    permission: 'change-directory',
    proof: 'every-factor',
    summary:
      'Make people, groups and servers as declared, all or nothing. If any of it gives power, one request for a second administrator covers all of it.',
    body: ApplyDirectory,
    success: { 200: changed(AppliedDirectory), 202: WaitingDirectory },
  },
  showChange: {
    method: 'get',
    path: '/api/changes/{id}',
    auth: 'session-or-token',
    permission: null,
    summary: 'How far a change is that this caller asked for.',
    params: z.object({ id: idText('elicitation') }),
    success: { 200: ChangeState },
  },
} as const satisfies Record<string, RouteContract>;
