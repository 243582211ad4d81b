import type { Express } from 'express';
import { routes } from '#protocol/contract/routes';
import { reportTable } from '../../engine/reports/report-table.ts';
import { showInsights } from '../../engine/reports/show-insights.ts';
import { listAuditNames } from '../../engine/reports/list-audit-names.ts';
import { assertKnown } from '../../engine/log/unknown-in.ts';
import { runReport } from '../../engine/reports/run-report.ts';
import { searchLog } from '../../engine/log/search-log.ts';
import { showRecord } from '../../engine/log/show-record.ts';
import { verifyReceipt } from '../../engine/log/verify-receipt.ts';
import { showProof } from '../../engine/log/standing-proof.ts';
import { disagreeing } from '../../engine/health.ts';
import { showWitnesses } from '../../engine/log/witnessed.ts';
import type { ApiParts } from '../http/api-parts.ts';
import { serve } from '../http/route.ts';

/** The usual questions of reviewers, and their searches in the log. */
export function serveAuditRoutes(app: Express, { engine, authenticate }: ApiParts): void {
  serve(app, routes.showProof, authenticate, async ({ caller }) => ({
    status: 200,
    body: {
      proof: await showProof(engine, caller),
      witnesses: await showWitnesses(engine, caller),
      disagreeing: disagreeing(engine.health),
    },
  }));

  serve(app, routes.verifyReceipt, authenticate, async ({ caller, body }) => ({
    status: 200,
    body: await verifyReceipt(engine, caller, body.receipt),
  }));

  serve(app, routes.listAuditNames, authenticate, async ({ caller }) => ({
    status: 200,
    body: await listAuditNames(engine, caller),
  }));

  serve(app, routes.showRecord, authenticate, async ({ caller, params }) => ({
    status: 200,
    body: await showRecord(engine, caller, params.id),
  }));

  serve(app, routes.searchLog, authenticate, async ({ caller, query: { cursor, limit, ...filter } }) => ({
    status: 200,
    body: await searchLog(engine, caller, { filter, cursor, limit }),
  }));

  serve(app, routes.showInsights, authenticate, async ({ caller, query }) => ({
    status: 200,
    body: await showInsights(engine, caller, query),
  }));

  serve(app, routes.runReport, authenticate, async ({ caller, params, query }) => {
    const report = await runReport(engine, caller, params.id, query);
    return { status: 200, body: { ...report, columns: [...report.columns] } };
  });

  serve(app, routes.takeReport, authenticate, async ({ caller, params, query, response }) => {
    const report = await runReport(engine, caller, params.id, query, true);
    assertKnown(report.unknown);
    const table = reportTable(report);
    response.set('cache-control', 'no-store').attachment(`${params.id}.csv`).type(routes.takeReport.file);
    response.send(table);
    return undefined;
  });
}
