import { z } from 'zod';
import { statuses } from '../asking/contract/elicitation.ts';
import type { RouteContract } from '#platform/http/contract/route';
import { ElicitationId } from '../asking/contract/open.ts';

/** The API of the test request with which newcomers begin. */
export const TestRequest = z.object({ id: ElicitationId, status: z.enum(statuses) }).meta({ id: 'TestRequest' });
export type TestRequest = z.infer<typeof TestRequest>;

export const testRequestRoutes = {
  sendTestRequest: {
    method: 'post',
    path: '/api/test-request',
    auth: 'session',
    permission: 'change-directory',
    proof: 'none',
    summary:
      'Open a real request as the built-in test server; while one waits, that one is returned. Nothing runs when it ' +
      'is approved.',
    success: { 201: TestRequest },
  },
} as const satisfies Record<string, RouteContract>;
