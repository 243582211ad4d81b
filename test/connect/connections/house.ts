import type { FoundConnection } from '#connect/connections/contract';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import { json } from '../../support/json.ts';
import { askingAt } from '../../support/nodes/asking.ts';
import { startTestServer, type TestServer } from '../../support/nodes/server.ts';
import { letIn, type Visitor } from '../../support/nodes/visitor.ts';
import type { FakeProvider } from '../../support/connect/fake-provider.ts';
import type { ServerOptions } from '#server/server';

export type Asked = OpenedElicitation & { url: string; code: string };

export const expects = { kind: 'connection', provider: 'fake', scopes: ['repo'] };

/** A token, as the provider writes it. */
export const tokenPattern = /(?:access|refresh)-[0-9a-f]{8}-[0-9a-f-]{27}/;

/** A node whose server may use the provider. */
export async function openHouse(provider: FakeProvider, options: Partial<ServerOptions> = {}, base?: string) {
  const settings = provider.settings({ servers: ['payments'] });
  const server: TestServer = await startTestServer({ connectProviders: [settings], ...options });
  const url = base ?? server.url;
  const asking = askingAt(url, await server.newServerKey());
  const ask = async (requester: object, parts: object = {}): Promise<Asked> => {
    const body = { mode: 'url', audience: undefined, schema: undefined, message: 'Connect your account.', expects };
    const opened = await asking.open({ ...body, requester, ...parts });
    return { ...opened, url: (opened.url ?? '').replace(server.engine.publicUrl(), url), code: opened.code ?? '' };
  };
  /** The provider's address, after the person went on. */
  const goOn = async (visitor: Visitor, question: Asked): Promise<string> =>
    (await visitor.send(question.url, { action: 'accept' })).headers.get('location') ?? '';
  return {
    server,
    asking,
    url,
    ask,
    goOn,
    async leave(visitor: Visitor, question: Asked): Promise<string> {
      await letIn(visitor, question.url, question.code);
      return goOn(visitor, question);
    },
    /** The address at which the provider sends people back, at this node. */
    async consent(address: string): Promise<string> {
      return (await provider.visit(address)).href.replace(server.engine.publicUrl(), url);
    },
    find: (requester: object, parts: object = {}): Promise<FoundConnection> =>
      json(asking.call('POST', '/v1/connections', { provider: 'fake', scopes: ['repo'], requester, ...parts })),
    state: (id: string) => json<OpenedElicitation>(asking.call('GET', `/v1/elicitations/${id}`)),
    history: async (id: string) =>
      (await server.engine.reader.history(id as never)).map(
        (body) => JSON.parse(Buffer.from(body).toString()) as Record<string, unknown>,
      ),
  };
}

export type House = Awaited<ReturnType<typeof openHouse>>;
