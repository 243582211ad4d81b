import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { assentry, type AssentryTools } from '../src/sdk/mcp/assentry.ts';
import type { RunningServer } from '../src/server/server.ts';
import type { ServerOptions } from '#server/options';
import { startFakePayments } from '../test/support/connect/fake-payments.ts';
import { startFakeProvider } from '../test/support/connect/fake-provider.ts';
import { leaveBy, newVisitor, type Visitor } from '../test/support/nodes/visitor.ts';

/** What the tool of the demo wants of the person who calls it. */
export type Subject = 'oauth' | 'payment';

/** A provider on this machine, and a tool that needs it. */
interface DemoProvider {
  settings: Pick<ServerOptions, 'connectProviders' | 'outcomeProviders'>;
  tool: string;
  /** For the person, above the address. */
  introduction: string;
  register(tools: AssentryTools): void;
  /** Agrees or pays on the page at this address, as a person would; resolves with where the page leads. */
  finish(visitor: Visitor, address: string): Promise<string>;
  close(): Promise<void>;
}

const servers = ['shop'];
const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });

async function startAccounts(): Promise<DemoProvider> {
  const provider = await startFakeProvider({ key: 'github', now: Date.now });
  provider.showsPage();
  return {
    settings: { connectProviders: [provider.settings({ servers, label: 'GitHub of the demo' })] },
    tool: 'who_am_i',
    introduction: 'Type the code there, go on to the provider, and agree or decline.',
    register: (tools) =>
      tools.registerTool('who_am_i', {}, async ({ connect }) => {
        const github = await connect('github', { scopes: ['repo'] });
        const { login } = (await (await github.fetch(`${provider.url}/user`)).json()) as { login: string };
        return say(`You are ${login} at ${github.provider}, and granted ${github.scopes.join(', ')}.`);
      }),
    async finish(visitor, address) {
      const { html } = await visitor.get(address);
      const agree = /href="([^"]+)">Agree/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
      return (await visitor.get(agree)).headers.get('location') ?? '';
    },
    close: provider.close,
  };
}

async function startPayments(events: () => string): Promise<DemoProvider> {
  const provider = await startFakePayments({ key: 'stripe', live: false, now: Date.now, sendsTo: events });
  return {
    settings: { outcomeProviders: [provider.settings({ servers, label: 'Stripe of the demo' })] },
    tool: 'order',
    introduction: 'Type the code there, go on to the checkout, and pay or decline.',
    register: (tools) =>
      tools.registerTool('order', {}, async ({ payment }) => {
        const paid = await payment('stripe', { amount: '100.00', currency: 'EUR', for: 'Order 1042' });
        return say(`Order 1042 is on its way: ${paid.amount} ${paid.currency} were paid to ${paid.payee}.`);
      }),
    async finish(visitor, address) {
      await visitor.get(address);
      return (await visitor.send(address, { choice: 'Pay' })).headers.get('location') ?? '';
    },
    close: provider.close,
  };
}

interface Show {
  say(sentence?: string): void;
  /** Does the demo itself what the person would? */
  isAuto: boolean;
}

/** Starts the provider; `demonstrate` has the tool called, and shows what its person does. */
export async function startDemoProvider(subject: Subject) {
  let url = '';
  const closers: (() => Promise<unknown>)[] = [];
  const provider = await (subject === 'oauth'
    ? startAccounts()
    : startPayments(() => `${url}/providers/stripe/events`));
  return {
    settings: provider.settings,
    async close(): Promise<void> {
      for (const close of [...closers, provider.close]) await close();
    },
    async demonstrate(server: RunningServer, show: Show): Promise<void> {
      url = server.url;
      show.say('2. Starting a provider on this machine, an MCP server, and an MCP client …');
      const client = new Client(
        { name: 'demo-agent', version: '1.0.0' },
        { capabilities: { elicitation: { url: {} } } },
      );
      let going: Promise<void> | undefined;
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        if ('url' in params) going ??= go(provider, show, params);
        return { action: 'accept' };
      });
      const mcp = new McpServer({ name: 'shop', version: '1.0.0' });
      const apiKey = await server.createServerKey('shop');
      provider.register(assentry(mcp, { url, apiKey }));
      const [here, there] = InMemoryTransport.createLinkedPair();
      closers.push(() => client.close());
      await Promise.all([mcp.connect(there), client.connect(here)]);
      show.say(`3. The client calls ${provider.tool}`);
      const result = await client.callTool({ name: provider.tool, arguments: {} }, undefined, {
        timeout: 3_600_000,
        onprogress: () => {},
        resetTimeoutOnProgress: true,
      });
      await going;
      const { content } = Result.parse(result);
      show.say(`4. The call resumed. The tool answered: ${content.map(({ text }) => text).join(' ')}`);
      if (!show.isAuto) show.say('\n   Assentry stays until you press Ctrl-C.');
    },
  };
}

const Result = z.object({ content: z.array(z.object({ text: z.string() })) });

/** Leads the person to Assentry's page, or goes there in their place. */
async function go(provider: DemoProvider, show: Show, { url, message }: { url: string; message: string }) {
  show.say(`   The call is held. Its client shows the person: ${message.replaceAll('\n', '\n   ')}`);
  if (!show.isAuto) return show.say(`\n   ${provider.introduction}\n\n   ${url}\n`);
  const visitor = newVisitor();
  const address = await leaveBy(visitor, url, /code (\d{3} \d{3})/.exec(message)?.[1] ?? '');
  show.say(`   The page of Assentry leads to ${new URL(address).origin}${new URL(address).pathname.slice(0, 20)}`);
  const back = await provider.finish(visitor, address);
  show.say(`   The provider leads back to ${back.split('?')[0]}`);
  const returned = await visitor.get(back);
  const shown = await visitor.get(new URL(returned.headers.get('location') ?? back, back).href);
  show.say(`   The page says: ${/<h1[^>]*>([^<]+)/.exec(shown.html)?.[1]}`);
}
