import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { AssentryTools } from '#sdk/mcp/assentry';
import type { Create } from '#sdk/mcp/connect/outcome';

/** What the tools' author has besides: addresses, and the SDK of the service that signs. */
export interface Own {
  api: string;
  makeEnvelope: Create;
  /** Counts what ran, and makes a result of it. */
  done(text: string): CallToolResult;
}

/** Tools as an author writes them with the docs alone: at most three lines each, which the test counts. */
export const registerTools =
  ({ api, makeEnvelope, done }: Own) =>
  (tools: AssentryTools): void => {
    tools.registerTool('account', {}, async ({ connect }) => {
      const github = await connect('github', { scopes: ['repo'] });
      const me = await github.fetch(`${api}/user`);
      return done(((await me.json()) as { login: string }).login);
    });
    tools.registerTool('payment', {}, async ({ payment }) => {
      const paid = await payment('stripe', { amount: '100.00', currency: 'EUR', for: 'Order 1042' });
      return done(`${paid.amount} ${paid.currency}`);
    });
    tools.registerTool('signature', {}, async ({ signature }) => {
      const signed = await signature('sign', { for: 'The NDA' }, makeEnvelope);
      return done(`${signed.by}`);
    });
  };
