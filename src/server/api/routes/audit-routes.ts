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
