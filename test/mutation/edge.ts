import { faultsOf, type Fault } from './fault.ts';

const authorization = ['test/platform/http/authorization.test.ts'];

/** In what meets the network. */
export const edgeFaults: Fault[] = [
  ...faultsOf(
    'src/platform/http/routes/authenticate.ts',
    ['test/platform/http/same-site.test.ts'],
    [['page.host === host && !isWeaker', 'page.host === host']],
  ),
  ...faultsOf(
    'src/platform/http/routes/route.ts',
    ['test/platform/http/bad-input.test.ts'],
    [
      ['none: 16 * 1024', 'none: 1024 * 1024'],
      ['token: 256 * 1024', 'token: 1024 * 1024'],
    ],
  ),
  ...faultsOf(
    'src/platform/http/routes/route.ts',
    ['test/platform/http/app.test.ts'],
    [["set('cache-control', 'no-store').", '']],
  ),
  ...faultsOf(
    'src/requests/asking/routes.ts',
    ['test/access/keys/keys.test.ts'],
    [['if (query.wait > 0) await authenticate.key(request);', '']],
  ),
  ...faultsOf(
    'src/requests/inbox/routes/inbox.ts',
    ['test/access/keys/keys.test.ts'],
    [['if (!(await mayHear(changes.at(-1)?.event))) return stream.end();', '']],
  ),
  ...faultsOf(
    'src/requests/pages/routes/frame.ts',
    ['test/requests/pages/hosted-page.test.ts'],
    [['if (isOfOwnSite(headers) && secret', 'if (secret']],
  ),
  ...faultsOf(
    'src/requests/pages/routes/pages.ts',
    ['test/requests/pages/connect-page.test.ts'],
    [["protocol === 'http:' ? `https: ${origin}` : 'https:'", '`https: ${origin}`']],
  ),
  ...faultsOf(
    'src/gateway/calls/connections.ts',
    ['test/gateway/connect/connect.test.ts'],
    [
      ['return code === undefined && !this.#parts.bound().requester.verified ? unbound : null', 'return null'],
      [
        'const call = await sha256(JSON.stringify([session, elicitationId, url.href, message]));',
        'const call = await sha256(String(Math.random()));',
      ],
    ],
  ),
  ...faultsOf(
    'src/gateway/frames/mcp-words.ts',
    ['test/gateway/frames/attribute-to-server.test.ts'],
    [
      ['names.length === 1 && ', ''],
      ['name.toLowerCase() === member', 'name === member'],
    ],
  ),
  ...faultsOf(
    'src/audit/tree/routes.ts',
    ['test/stories/proven-log.test.ts'],
    [["'private, max-age", "'public, max-age"]],
  ),
  ...faultsOf('src/requests/machine/contract.ts', authorization, [["auth: 'session'", "auth: 'none'"]]),
];
