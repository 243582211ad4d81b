import { z } from 'zod';
import { namePattern, nameRule, networkPattern, networkRule, toolPattern, toolRule } from '#platform/model/names';
import { Moment, AskedTool, ElicitationId, ToolAnnotations } from '#requests/asking/contract/open';
import { changed, WaitingChange } from '#people/changes/contract';
import { ListQuery, Next, NamedUser, ServerId } from '#people/users/contract';
import type { RouteContract } from '#platform/http/contract/route';
import { digest } from '#platform/http/contract/problem';

/** The API of the keys of MCP servers. */
const Kid = z
  .string()
  .regex(/^[0-9a-f]{16}$/)
  .meta({ id: 'Kid', description: 'The id of a key: the part after asn_. It is not secret.' });

const Tools = z
  .array(z.string().regex(toolPattern, toolRule))
  .min(1)
  .max(100)
  .meta({ description: 'The tools it may ask about: names, in which `*` stands for any characters.' });

const Networks = z
  .array(z.string().regex(networkPattern, networkRule))
  .max(100)
  .meta({ description: 'The networks it works from, in CIDR notation; none: from anywhere.' });

export const KeyEntry = z
  .object({
    kid: Kid,
    server: z.object({ id: ServerId, name: z.string() }),
    createdAt: Moment,
    /** To the minute; null if it was never used. */
    lastUsedAt: Moment.nullable(),
    revokedAt: Moment.nullable(),
    /** From then on it opens nothing; null if it does not expire. */
    expiresAt: Moment.nullable(),
    tools: Tools,
    networks: Networks,
    replacedBy: Kid.nullable().meta({ description: 'The key that was made to follow it; null if none was.' }),
    maker: NamedUser.extend({ disabled: z.boolean() })
      .nullable()
      .meta({ description: 'Who made it and saw it; it opens nothing while they are disabled. Null: the operator.' }),
  })
  .meta({ id: 'KeyEntry' });
export type KeyEntry = z.infer<typeof KeyEntry>;

export const KeyList = z
  .object({
    keys: z.array(KeyEntry),
    next: Next,
    isFull: z.boolean().meta({
      description:
        'False: only keys of servers that the reader owns, because only administrators read those of others.',
    }),
  })
  .meta({ id: 'KeyList' });
export type KeyList = z.infer<typeof KeyList>;

const NewKey = z
  .strictObject({
    server: z.string().regex(namePattern, nameRule),
    expiresAt: Moment.nullable().optional().meta({ description: 'Without it, the key does not expire.' }),
    tools: Tools.optional().meta({ description: 'Without it, every tool.' }),
    networks: Networks.optional().meta({ description: 'Without it, from anywhere.' }),
  })
  .meta({ id: 'NewKey' });
export type NewKey = z.infer<typeof NewKey>;

export const CreatedKey = z
  .object({ kid: Kid, server: z.string(), key: z.string().meta({ description: 'Shown once, and stored nowhere.' }) })
  .meta({ id: 'CreatedKey' });
export type CreatedKey = z.infer<typeof CreatedKey>;

export const RotatedKey = CreatedKey.extend({
  replaces: Kid,
  endsAt: Moment.meta({ description: 'From then on the old key opens nothing.' }),
}).meta({ id: 'RotatedKey' });
export type RotatedKey = z.infer<typeof RotatedKey>;

const KeyRotation = z
  .strictObject({
    overlapMs: z
      .int()
      .min(0)
      .max(30 * 86_400_000)
      .optional()
      .meta({ description: 'Milliseconds for which both keys work; without it, 24 hours.' }),
  })
  .meta({ id: 'KeyRotation' });

const KeyNetworks = z.strictObject({ networks: Networks }).meta({ id: 'KeyNetworks' });

/** A key that opens nothing until a second administrator has accepted it. */
export const WaitingKey = WaitingChange.extend(CreatedKey.shape).meta({ id: 'WaitingKey' });
export type WaitingKey = z.infer<typeof WaitingKey>;

/** The old key gets its end once the new one is accepted. */
export const WaitingRotation = WaitingKey.extend({ replaces: Kid }).meta({ id: 'WaitingRotation' });
export type WaitingRotation = z.infer<typeof WaitingRotation>;

export const keyRoutes = {
  listKeys: {
    method: 'get',
    path: '/api/keys',
    auth: 'session-or-token',
    permission: null,
    summary: 'The keys of MCP servers, without their secrets: all for administrators, else those of own servers.',
    query: ListQuery,
    success: { 200: KeyList },
  },
  createKey: {
    method: 'post',
    path: '/api/keys',
    auth: 'session-or-token',
    permission: 'change-keys',
    proof: 'every-factor',
    scope: 'space',
    summary: 'Create a key for a server; a new name creates the server.',
    body: NewKey,
    success: { 201: changed(CreatedKey), 202: WaitingKey },
  },
  rotateKey: {
    method: 'post',
    path: '/api/keys/{kid}/rotate',
    auth: 'session-or-token',
    permission: 'change-keys',
    proof: 'every-factor',
    scope: 'space',
    summary: 'Create a key with the limits of this one, which ends after an overlap.',
    params: z.object({ kid: Kid }),
    body: KeyRotation,
    success: { 201: changed(RotatedKey), 202: WaitingRotation },
  },
  changeKey: {
    method: 'put',
    path: '/api/keys/{kid}/networks',
    auth: 'session-or-token',
    permission: 'change-keys',
    proof: 'every-factor',
    scope: 'space',
    summary: 'Change where a key works. More places need a second administrator; what is taken away is so at once.',
    params: z.object({ kid: Kid }),
    body: KeyNetworks,
    success: { 200: changed(KeyEntry), 202: WaitingChange },
  },
  revokeKey: {
    method: 'post',
    path: '/api/keys/{kid}/revoke',
    auth: 'session-or-token',
    permission: null, // the owner of the server may as well
    proof: 'none',
    summary:
      'Revoke a key at once and permanently; its requests stay. Administrators, operators and the owner of its server only.',
    params: z.object({ kid: Kid }),
    success: { 200: KeyEntry },
  },
} as const satisfies Record<string, RouteContract>;

/** The API for the tools that the gateway has seen at the servers behind it. */
export const maxReportedTools = 100;

const hints = ToolAnnotations.omit({ title: true });
const accepted = digest.meta({ description: 'The digest of the accepted definition.' });
const changedTool = digest.nullable().meta({
  description:
    'The digest of a definition that no one has accepted, so that the tool is blocked; null if there is none.',
});

/** A tool as its server was last seen to describe it. */
export const SeenTool = z
  .strictObject({ name: AskedTool.shape.name, annotations: hints.strict(), definition: accepted, changed: changedTool })
  .meta({ id: 'SeenTool' });
export type SeenTool = z.infer<typeof SeenTool>;

export const ReportTools = z
  .strictObject({ tools: z.array(SeenTool).max(maxReportedTools) })
  .meta({ id: 'ReportTools' });
export type ReportTools = z.infer<typeof ReportTools>;

const count = z.int().min(0);

const ServerTool = z
  .object({
    name: z.string(),
    /** Null if the gateway has reported nothing of it, as for a server with the library. */
    seen: z.object({ annotations: hints, definition: accepted, changed: changedTool, at: Moment }).nullable(),
    /** Requests about it that are open, and those that ended in the period. */
    outcomes: z.object({ open: count, accepted: count, declined: count, cancelled: count, expired: count }),
    rule: z
      .object({
        outcome: z.enum(['allow', 'requester', 'deny', 'require']),
        policy: z.string(),
        varies: z.boolean().meta({ description: 'The arguments or the time of a call can lead to another outcome.' }),
      })
      .nullable()
      .meta({ description: 'What the policies in force say of a call; null if too little is known of the tool.' }),
    policyName: z.string().meta({ description: 'The name for a policy about this tool alone.' }),
    request: ElicitationId.nullable().meta({ description: 'The open request to accept its changed definition.' }),
  })
  .meta({ id: 'ServerTool' });
export type ServerTool = z.infer<typeof ServerTool>;

export const ToolList = z
  .object({
    server: z.object({ id: ServerId, name: z.string() }),
    since: Moment.meta({ description: 'The beginning of the period of the outcomes.' }),
    tools: z.array(ServerTool),
  })
  .meta({ id: 'ToolList' });
export type ToolList = z.infer<typeof ToolList>;

export const toolRoutes = {
  reportTools: {
    method: 'post',
    path: '/v1/tools',
    auth: 'key',
    summary: 'Report which tools the server has, by the digests of their definitions.',
    body: ReportTools,
    success: { 204: null },
  },
  listTools: {
    method: 'get',
    path: '/api/servers/{id}/tools',
    auth: 'session',
    permission: 'read-tools',
    scope: 'space',
    summary: 'The tools of a server, what became of requests about them, and what the policies say.',
    params: z.object({ id: ServerId }),
    success: { 200: ToolList },
  },
} as const satisfies Record<string, RouteContract>;
