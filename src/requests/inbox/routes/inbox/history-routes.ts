import type { Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { routes } from '#platform/http/contract/openapi';
import { exportHistory, type ExportedRequest } from '../../verbs/history/export-history.ts';
import { historyHead, historyLine } from '../../verbs/history/history-table.ts';
import type { ApiParts } from '#platform/http/routes/parts';

/** The history as files, written as it is read. */
export function serveHistoryRoutes({ engine, serve }: ApiParts): void {
  serve(routes.exportHistory, async ({ caller, query, response }) =>
    send(response, 'history.json', jsonOf(exportHistory(engine, caller, query))),
  );

  serve(routes.exportHistoryTable, async ({ caller, query, response }) =>
    send(response, 'history.csv', csvOf(exportHistory(engine, caller, query))),
  );
}

type Pages = AsyncGenerator<ExportedRequest[], void, undefined>;

/** What is wrong before the first piece is answered as a problem; after it, the connection is cut. */
async function send(response: Response, name: string, pieces: AsyncGenerator<string>): Promise<never> {
  const first = await pieces.next();
  response.set('cache-control', 'no-store').attachment(name);
  response.write(first.value);
  await pipeline(Readable.from(pieces), response);
  return undefined as never; // the answer is written
}

async function* csvOf(pages: Pages): AsyncGenerator<string> {
  let head = historyHead;
  for await (const page of pages) {
    yield head + page.map(historyLine).join('');
    head = '';
  }
}

async function* jsonOf(pages: Pages): AsyncGenerator<string> {
  let before = '[';
  for await (const page of pages)
    for (const request of page) {
      yield `${before}${JSON.stringify(request)}`;
      before = ',\n';
    }
  yield before === '[' ? '[]' : ']';
}
