import express, { type Request } from 'express';
import { routes } from '#platform/http/contract/openapi';
import { Problem } from '#platform/model/problem';
import type { ApiParts } from '#platform/http/routes/parts';
import { addressOf, readWithinLimit, withinLimit } from '#platform/http/routes/limits';
import { expressPath } from '#platform/http/routes/route';
import { takeEvent } from './verbs/settle.ts';

/** Takes events as raw bytes: a signature covers each of them. */
export function serveOutcomes({ app, engine, authenticate: { bodies, countCall, work } }: ApiParts): void {
  const readBytes = express.raw({ type: () => true, limit: 512 * 1024, inflate: false });
  app.post(expressPath(routes.takeProviderEvent), readWithinLimit(readBytes, bodies), async (request, response) => {
    const provider = String(request.params['provider']);
    const client = engine.outcomes.find(({ key }) => key === provider);
    const take = async (): Promise<boolean> =>
      client !== undefined && takeEvent(engine, client, bytesOf(request), headersOf(request));
    if (await withinLimit(work, addressOf(request), take)) return void response.status(200).end();
    const by = { kind: 'stranger' } as const;
    const about = client ? [client.key] : [];
    const refused = {
      type: 'access.refused',
      what: 'unauthenticated',
      by,
      about,
      address: addressOf(request),
    } as const;
    await engine.access.recordRefusal(refused);
    await countCall(addressOf(request)); // the provider itself sends from few addresses
    throw new Problem('unauthenticated', { detail: 'Sign it as the provider does.' });
  });
}

const bytesOf = ({ body }: Request): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));

/** By name, in small letters; one that came twice has several values. */
const headersOf = ({ headersDistinct }: Request): Record<string, string | string[] | undefined> =>
  Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [name, values.length === 1 ? values[0] : values]),
  );
