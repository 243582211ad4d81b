import { z } from 'zod';
import type { RouteContract } from '../../../http/contract/route/route-contract.ts';
import { Ready, SystemState } from './ready.ts';

/** What operators and their tools call. */
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
