import { routes } from '#platform/http/contract/openapi';
import { reportTable, runReport } from '../reports/verbs/reports.ts';
import { showInsights, listAuditNames } from '../reports/verbs/insights.ts';
import { assertKnown, searchLog, showRecord } from './verbs.ts';
import { verifyReceipt } from '../receipts/verbs.ts';
import { showProof } from '../verify/verbs/verify-log.ts';
import { disagreeing } from '#platform/nodes/verbs/health';
import { showWitnesses } from '../tree/verbs.ts';
import type { ApiParts } from '#platform/http/routes/parts';

/** The usual questions of reviewers, and their searches in the log. */
export function serveAuditRoutes({ engine, serve }: ApiParts): void {
  serve(routes.showProof, async ({ caller }) => ({
    proof: await showProof(engine, caller),
    witnesses: await showWitnesses(engine, caller),
    disagreeing: disagreeing(engine.health),
  }));

  serve(routes.verifyReceipt, async ({ caller, body }) => verifyReceipt(engine, caller, body.receipt));

  serve(routes.listAuditNames, async ({ caller }) => listAuditNames(engine, caller));

  serve(routes.showRecord, async ({ caller, params }) => showRecord(engine, caller, params.id));

  serve(routes.searchLog, async ({ caller, query: { cursor, limit, ...filter } }) =>
    searchLog(engine, caller, { filter, cursor, limit }),
  );

  serve(routes.showInsights, async ({ caller, query }) => showInsights(engine, caller, query));

  serve(routes.runReport, async ({ caller, params, query }) => {
    const report = await runReport(engine, caller, params.id, query);
    return { ...report, columns: [...report.columns] };
  });

  serve(routes.takeReport, async ({ caller, params, query, response }) => {
    const report = await runReport(engine, caller, params.id, query, true);
    assertKnown(report.unknown);
    const table = reportTable(report);
    response.set('cache-control', 'no-store').attachment(`${params.id}.csv`).type(routes.takeReport.file);
    response.send(table);
  });
}
