import { z } from 'zod';
import { problemSentences, type ProblemCode } from '../../model/problem.ts';
import type { RouteContract } from './route.ts';

const codes = Object.keys(problemSentences) as [ProblemCode, ...ProblemCode[]];

export const errorRoutes = {
  showError: {
    method: 'get',
    path: '/errors/{code}',
    auth: 'none',
    summary: 'The page to which the type of a problem leads: what happened, and what to do.',
    params: z.object({ code: z.enum(codes) }),
    success: { 200: null },
    html: true,
  },
} as const satisfies Record<string, RouteContract>;

/** The `type` of a problem: the address of its page. */
export const problemType = (publicUrl: string, code: ProblemCode): string => new URL(`/errors/${code}`, publicUrl).href;
