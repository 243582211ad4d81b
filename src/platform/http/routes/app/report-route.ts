import express from 'express';
import { z } from 'zod';
import { routes } from '../../contract/openapi/routes.ts';
import type { ApiParts } from '../parts/api-parts.ts';
import { countAddress, readWithinLimit } from '../limits/within-limit.ts';
import { limitGuesses } from '../limits/limit-guesses.ts';

/** Keeps in the log what a browser's content security policy has stopped on one of our pages. */
export function serveReportRoute({ app, authenticate, log }: ApiParts): void {
  const { path } = routes.reportViolation;
  app.post(
    path,
    countAddress(authenticate),
    limitGuesses({ skipSuccessfulRequests: false }),
    readWithinLimit(readBytes, authenticate.bodies),
    async (request, response) => {
      await authenticate.none(request);
      const report = Violation.safeParse(parseJson(request.body)).data?.['csp-report'];
      if (report) log.warn({ directive: report['effective-directive'], blocked: report['blocked-uri'] }, stopped);
      response.set('cache-control', 'no-store').status(204).end();
    },
  );
}

const stopped = 'a browser stopped something on a page of the console: look for what puts it there';

const readBytes = express.raw({ type: 'application/csp-report', limit: 16 * 1024 });

/** Only what cannot hold a token: the rule, and the kind or the site of what was stopped. */
const Violation = z.object({
  'csp-report': z.object({
    'effective-directive': z.string().regex(/^[a-z-]{1,40}$/),
    'blocked-uri': z.string().transform((text) => (URL.canParse(text) ? new URL(text).origin : text.slice(0, 40))),
  }),
});

function parseJson(body: unknown): unknown {
  try {
    return Buffer.isBuffer(body) ? JSON.parse(body.toString('utf8')) : null;
  } catch {
    return null;
  }
}
