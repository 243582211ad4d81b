import { z } from 'zod';
import { chatChannels } from '#notify/chat/contract';
import { ShownWitness, StandingProof } from '#audit/search/contract';
import { Moment } from '#requests/asking/contract/open';
import type { RouteContract } from '../../http/contract/route.ts';

/** Warnings for the operator although the node serves. */
const ReadyWarning = z.discriminatedUnion('code', [
  z.strictObject({
    code: z.literal('clock-differs'),
    seconds: z
      .int()
      .meta({ description: "How far the machine's clock is ahead of the database's; less than 0 if it is behind." }),
  }),
  z
    .strictObject({ code: z.literal('log-stands-still') })
    .meta({ description: "Entries get no places in the log; the node's own log says why." }),
  z.strictObject({ code: z.literal('notifications-stand-still'), changes: z.int(), since: Moment }).meta({
    description: "No one is told of these changes, the first of them since this moment; a node's log says why.",
  }),
  z.strictObject({ code: z.literal('mails-fail'), mails: z.int(), since: Moment, fault: z.string() }).meta({
    description:
      'The mail server takes no mail: so many were tried again, the first of them was planned at this moment, and the latest failed with this code.',
  }),
  z
    .strictObject({ code: z.literal('mail-server-fails'), fault: z.string() })
    .meta({ description: 'The mail server does not let the node in, for this reason; no mail was lost yet.' }),
  z
    .strictObject({ code: z.literal('provider-fails'), providers: z.array(z.string()) })
    .meta({ description: 'These identity providers do not answer, so no one can sign in by them.' }),
  z
    .strictObject({ code: z.literal('provider-untimed'), providers: z.array(z.string()) })
    .meta({ description: 'These identity providers send no `auth_time`, so no one proves again there who they are.' }),
  z.strictObject({ code: z.literal('address-fails'), fault: z.string() }).meta({
    description: 'ASSENTRY_PUBLIC_URL leads to no Assentry: its name, its certificate or what answers there is wrong.',
  }),
  z
    .strictObject({ code: z.literal('backup-missing'), at: Moment.nullable() })
    .meta({ description: 'The last complete backup is of this moment, more than a day ago; null if there is none.' }),
  z
    .strictObject({ code: z.literal('log-head-not-kept') })
    .meta({ description: 'Nothing outside the database would notice a log that was put back.' }),
  z
    .strictObject({ code: z.literal('loop-fails'), loops: z.array(z.string()) })
    .meta({ description: "This work of the node failed three times in a row or more; the node's own log says why." }),
  z
    .strictObject({ code: z.literal('witness-silent'), witnesses: z.array(z.string()) })
    .meta({ description: 'These witnesses have not answered for minutes; the node’s own log says why.' }),
  z
    .strictObject({ code: z.literal('nodes-differ'), settings: z.array(z.string()) })
    .meta({ description: 'Nodes run with different values of these settings, or as different versions.' }),
  z
    .strictObject({ code: z.literal('commands-by-part'), policies: z.array(z.string()) })
    .meta({ description: 'These policies allow shell commands by their beginning, or by a part of them.' }),
  z
    .strictObject({ code: z.literal('keys-expire'), keys: z.int(), at: Moment })
    .meta({ description: 'So many keys of MCP servers expire within 14 days, the first of them at this moment.' }),
  z
    .strictObject({ code: z.literal('witness-disagrees'), witnesses: z.array(z.string()) })
    .meta({ description: 'These witnesses have seen a longer log, or another past: the database was put back.' }),
  z
    .strictObject({ code: z.literal('stream-fails'), streams: z.array(z.string()) })
    .meta({ description: 'These streams of the log do not arrive; `streams` says why.' }),
  z.strictObject({ code: z.literal('reports-lost'), reports: z.int(), since: Moment }).meta({
    description:
      'So many reports of services reached no call within a week, the first of them at this moment: they came late or did not fit.',
  }),
  z
    .strictObject({ code: z.literal('log-changed') })
    .meta({ description: "The log, or a row that follows from it, was changed; a node's own log says which." }),
]);

export type ReadyWarning = z.infer<typeof ReadyWarning>;

/** Progress of a log stream at its receiver. */
export const StreamState = z.strictObject({
  name: z.string(),
  delivered: z.int().meta({ description: 'How many entries have arrived.' }),
  size: z.int().meta({ description: 'How many there are.' }),
  failures: z.int().meta({ description: 'How often in a row it failed.' }),
  fault: z.string().nullable().meta({ description: 'The code of the last failure.' }),
  failingSince: Moment.nullable(),
});
export type StreamState = z.infer<typeof StreamState>;

/** State of an installation, for its operators. */
export const SystemState = z
  .object({
    nodes: z
      .array(z.object({ id: z.string(), version: z.string().nullable() }))
      .meta({ description: 'Those that announced themselves within the last half minute.' }),
    silentNodes: z
      .array(z.object({ id: z.string(), at: Moment }))
      .meta({ description: 'Those that fell silent within a day without leaving, as one that was killed, and when.' }),
    databaseMs: z.number().meta({ description: 'How long the database took to answer for this.' }),
    sendsMails: z.boolean().meta({ description: 'Can the node that answers send mails?' }),
    chats: z.array(z.enum(chatChannels)).meta({ description: 'The chats that this node posts to.' }),
    warnings: z
      .array(z.object({ warning: ReadyWarning, since: Moment }))
      .meta({ description: 'The most urgent first, with the moment since which this node warns of it.' }),
    proof: StandingProof.nullable().meta({ description: 'Null before the first look at the log.' }),
    streams: z.array(StreamState),
    witnesses: z.array(ShownWitness),
    backupAt: Moment.nullable().meta({
      description: 'What the last complete `assentry backup` is as of; null if there never was one.',
    }),
  })
  .meta({ id: 'SystemState' });
export type SystemState = z.infer<typeof SystemState>;

export const Ready = z.strictObject({
  status: z.literal('ready'),
  warnings: z.array(ReadyWarning),
  advice: z
    .array(z.string())
    .optional()
    .meta({ description: 'A sentence for each warning, in their order, and what to do; absent if there is none.' }),
  proof: StandingProof.optional().meta({
    description: 'What a node has found out about the log; absent before the first look.',
  }),
  streams: z.array(StreamState).optional().meta({ description: 'Absent if this node streams the log to no one.' }),
  witnesses: z.array(ShownWitness).optional().meta({ description: 'Absent if this node asks no witness.' }),
});

/** Routes for operators and their tools. */
export const operatorRoutes = {
  reportViolation: {
    method: 'post',
    path: '/csp-reports',
    auth: 'none',
    summary: 'A browser reports what the content security policy of a page has stopped (application/csp-report).',
    success: { 204: null },
  },
  openApi: {
    method: 'get',
    path: '/openapi.json',
    auth: 'key',
    summary: 'This document.',
    success: { 200: z.unknown() },
  },
  readMetrics: {
    method: 'get',
    path: '/metrics',
    auth: 'operator',
    summary: 'The numbers of this node, as Prometheus reads them.',
    isUrgent: true,
    success: { 200: null },
    file: 'text/plain; version=0.0.4; charset=utf-8',
  },
  isAlive: {
    method: 'get',
    path: '/healthz',
    auth: 'none',
    summary: 'The process runs.',
    isUrgent: true,
    success: { 200: z.object({ status: z.literal('alive') }) },
  },
  isReady: {
    method: 'get',
    path: '/readyz',
    auth: 'none',
    summary: 'The process can serve: its database answers and it is not stopping.',
    isUrgent: true,
    success: { 200: Ready },
  },
  readSystem: {
    method: 'get',
    path: '/api/system',
    auth: 'session',
    permission: 'change-webhooks',
    summary: 'The living nodes, what they warn of, what they send with, and how far the log is verified and delivered.',
    success: { 200: SystemState },
  },
} as const satisfies Record<string, RouteContract>;
