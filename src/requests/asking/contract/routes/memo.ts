import { z } from 'zod';
import type { RouteContract } from '#platform/http/contract/route';
import { NamedPrincipal, storable, ToolCallId } from '../open.ts';

/** The API for what a step of a call makes once, such as a checkout session, and every later run of the call gets. */
const maxMemoLength = 65_536;

const key = storable(64).min(1).meta({ description: 'Names the step among those of its call.' });

const Memo = z.unknown().refine((value) => (JSON.stringify(value) ?? '').length <= maxMemoLength, {
  message: `Give at most ${maxMemoLength} characters of JSON.`,
});

export const BeginMemo = z
  .strictObject({
    key,
    toolCall: ToolCallId.optional().meta({ description: 'The call, if it is stored.' }),
    calls: z.array(storable(256).min(1)).min(1).max(2).optional().meta({
      description: 'Instead of `toolCall`: the names that its first request will or may have as `call`.',
    }),
    requester: NamedPrincipal.optional().meta({ description: 'With `calls`: the requester of that request.' }),
  })
  .refine(
    ({ toolCall, calls, requester }) => (toolCall === undefined) === (calls !== undefined && requester !== undefined),
    {
      message: 'Give either the tool call, or its names and its requester.',
      path: ['toolCall'],
    },
  )
  .meta({ id: 'BeginMemo' });
export type BeginMemo = z.input<typeof BeginMemo>;

export const BegunMemo = z
  .object({
    id: z.string().meta({
      description: 'Names the memo, and is the idempotency key of the step: the same until the memo is kept.',
    }),
    isKept: z.boolean().meta({ description: 'True if the call has a memo of this key: `value`.' }),
    value: z.unknown(),
  })
  .meta({ id: 'BegunMemo' });
export type BegunMemo = z.infer<typeof BegunMemo>;

export const KeepMemo = z.strictObject({ id: storable(64).min(1), key, value: Memo }).meta({ id: 'KeepMemo' });
export type KeepMemo = z.input<typeof KeepMemo>;

export const KeptMemo = z
  .object({ value: z.unknown().meta({ description: 'What is kept: that of the run that came first.' }) })
  .meta({ id: 'KeptMemo' });
export type KeptMemo = z.infer<typeof KeptMemo>;

export const memoRoutes = {
  beginMemo: {
    method: 'post',
    path: '/v1/memos',
    auth: 'key',
    summary: 'Find what a step of a call made, or reserve the idempotency key under which the step makes it.',
    body: BeginMemo,
    success: { 200: BegunMemo },
  },
  keepMemo: {
    method: 'post',
    path: '/v1/tool-calls/{id}/memos',
    auth: 'key',
    summary: 'Keep what a step of the call made, sealed, for its later runs. What was kept first stays.',
    params: z.object({ id: ToolCallId }),
    body: KeepMemo,
    success: { 200: KeptMemo },
  },
} as const satisfies Record<string, RouteContract>;
