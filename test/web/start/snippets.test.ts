import { describe, expect, test } from '@jest/globals';
import { OpenElicitation } from '#requests/asking/contract/open';
import { snippetKinds, writeSnippet } from '../../../web/src/platform/start/StartPage.tsx';

const connection = { url: 'https://assentry.example', key: 'asn_0123_secret', server: 'payments' };
const env = { ASSENTRY_URL: connection.url, ASSENTRY_API_KEY: connection.key };

describe('what connects a server', () => {
  test.each(['claude', 'cursor'] as const)('is for %s a file of servers with the key', (kind) => {
    expect(JSON.parse(writeSnippet(kind, connection))).toEqual({
      mcpServers: { payments: { command: 'node', args: ['/absolute/path/to/server.mjs'], env } },
    });
  });

  test('is for VS Code a file of another shape', () => {
    expect(JSON.parse(writeSnippet('vscode', connection))).toMatchObject({
      servers: { payments: { type: 'stdio', env } },
    });
  });

  test('is for curl a body that opens a request', () => {
    const [, body = ''] = /-d '([^']*)'/.exec(writeSnippet('curl', connection)) ?? [];
    expect(OpenElicitation.safeParse(JSON.parse(body)).success).toBe(true);
  });

  test('holds the key wherever it belongs, and never in code', () => {
    const withKey = snippetKinds.filter((kind) => writeSnippet(kind, connection).includes(connection.key));
    expect(withKey).toEqual(snippetKinds.filter((kind) => kind !== 'typescript'));
  });
});
