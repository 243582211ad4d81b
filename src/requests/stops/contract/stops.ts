import { z } from 'zod';
import { changed, WaitingChange } from '#people/changes/contract';
import { idText } from '#platform/http/contract/problem';
import type { RouteContract } from '#platform/http/contract/route';
import { Moment, storable } from '../../asking/contract/open.ts';
import { NamedUser } from '#people/users/contract';

/** The API of the kill switch. */
const StopId = idText('stop').meta({ id: 'StopId' });

export const Stop = z
  .object({
    id: StopId,
    /** Null is every server. */
    server: z.string().nullable(),
    /** Null is every tool. */
    tool: z.string().nullable(),
    reason: z.string(),
    /** Null is the operator on the command line. */
    by: NamedUser.nullable(),
    at: Moment,
    /** Null while it is in force. */
    lifted: z.object({ by: NamedUser.nullable(), at: Moment }).nullable(),
  })
  .meta({ id: 'Stop' });
export type Stop = z.infer<typeof Stop>;

export const StopList = z.object({ stops: z.array(Stop) }).meta({ id: 'StopList' });
export type StopList = z.infer<typeof StopList>;

export const MadeStop = Stop.extend({
  ended: z.int().min(0).meta({ description: 'How many open requests it ended.' }),
}).meta({ id: 'MadeStop' });
export type MadeStop = z.infer<typeof MadeStop>;

/** Without a server and a tool it is everything. */
const MakeStop = z
  .strictObject({
    server: storable(64).trim().min(1, 'Name a server.').optional(),
    tool: storable(128).min(1, 'Name a tool.').optional(),
    reason: storable(500).trim().min(1, 'Give a reason: everyone who asks sees it.'),
  })
  .meta({ id: 'MakeStop' });
export type MakeStop = z.infer<typeof MakeStop>;

export const stopRoutes = {
  listStops: {
    method: 'get',
    path: '/api/stops',
    auth: 'session',
    permission: null,
    summary: 'All stops, those in force first.',
    success: { 200: StopList },
  },
  makeStop: {
    method: 'post',
    path: '/api/stops',
    auth: 'session',
    permission: null, // the owner of the server may as well
    proof: 'none',
    summary:
      'Stop a tool, a server or everything at once. When this answers, no node opens or claims anything in its scope, ' +
      'and open requests have ended. A run that was claimed before continues. Administrators and operators only and, for one server, its owner.',
    body: MakeStop,
    success: { 201: MadeStop },
  },
  liftStop: {
    method: 'post',
    path: '/api/stops/{id}/lift',
    auth: 'session',
    permission: 'stop-calls',
    proof: 'fresh',
    scope: 'space',
    summary: 'Lift a stop. Only for another administrator than the one who made it.',
    params: z.object({ id: StopId }),
    success: { 200: changed(Stop), 202: WaitingChange },
  },
} as const satisfies Record<string, RouteContract>;
