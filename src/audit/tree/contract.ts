import { z } from 'zod';
import { ElicitationId } from '#requests/asking/contract/open';
import type { RouteContract } from '#platform/http/contract/route';

const elicitation = z.object({ id: ElicitationId });
const text = 'text/plain; charset=utf-8';

const TilePath = z.object({
  level: z
    .string()
    .regex(/^(entries|0|[1-9]\d?)$/)
    .meta({ description: 'The level of the tile, or `entries`.' }),
  tile: z
    .string()
    .max(64)
    .meta({ description: 'Its number as C2SP tlog-tiles writes it, such as `x001/234` or `567.p/8`.' }),
});

/** The log for public tools, and receipts that can be verified offline. */
export const logRoutes = {
  getReceipt: {
    method: 'get',
    path: '/api/elicitations/{id}/receipt',
    auth: 'session',
    permission: null,
    summary: 'The receipt of an ended request: a C2SP tlog-proof file that can be verified offline.',
    params: elicitation,
    success: { 200: null },
    file: text,
  },
  getOwnReceipt: {
    method: 'get',
    path: '/v1/elicitations/{id}/receipt',
    auth: 'key',
    summary: 'The receipt of an ended question of this server, to keep and to give to the requester.',
    params: elicitation,
    success: { 200: null },
    file: text,
  },
  getCheckpoint: {
    method: 'get',
    path: '/log/checkpoint',
    auth: 'session',
    permission: 'read-log',
    summary: 'The latest signed head of the log, a C2SP tlog-checkpoint.',
    success: { 200: null },
    file: text,
  },
  getTile: {
    method: 'get',
    path: '/log/tile/{level}/{tile}',
    auth: 'session',
    permission: 'read-log',
    summary: 'Hashes of the log, or a bundle of its entries, as C2SP tlog-tiles.',
    params: TilePath,
    success: { 200: null },
    file: 'application/octet-stream',
    isDeep: true,
  },
} as const satisfies Record<string, RouteContract>;
