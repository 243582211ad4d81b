import { faultsOf, type Fault } from './fault.ts';

const authorization = ['test/api/http/authorization.test.ts'];

/** In what meets the network. */
export const edgeFaults: Fault[] = [
  ...faultsOf(
    'src/server/api/http/same-site.ts',
    ['test/api/http/same-site.test.ts'],
    [['page.host === host && !isWeaker', 'page.host === host']],
  ),
  ...faultsOf(
    'src/server/api/http/route.ts',
    ['test/api/http/bad-input.test.ts'],
    [
      ['none: 16 * 1024', 'none: 1024 * 1024'],
      ['token: 256 * 1024', 'token: 1024 * 1024'],
    ],
  ),
  ...faultsOf(
    'src/server/api/http/problem-handler.ts',
    ['test/api/http/app.test.ts'],
    [["set('cache-control', 'no-store').", '']],
  ),
  ...faultsOf(
    'src/server/api/routes/server-routes.ts',
    ['test/api/users/keys.test.ts'],
    [['if (query.wait > 0) await authenticate.key(request);', '']],
  ),
  ...faultsOf(
    'src/server/api/routes/stream-routes.ts',
    ['test/api/users/keys.test.ts'],
    [['if (!(await mayHear(changes.at(-1)?.event))) return stream.end();', '']],
  ),
  ...faultsOf(
    'src/server/api/pages/page-session.ts',
    ['test/api/pages/hosted-page.test.ts'],
    [['if (isOfOwnSite(headers) && secret', 'if (secret']],
  ),
  ...faultsOf(
    'src/server/api/pages/question-exchange.ts',
    ['test/api/pages/connect-page.test.ts'],
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
    'src/gateway/frames/questions.ts',
    ['test/gateway/frames/attribute-to-server.test.ts'],
    [
      ['names.length === 1 && ', ''],
      ['name.toLowerCase() === member', 'name === member'],
    ],
  ),
  ...faultsOf(
    'src/server/api/routes/log-routes.ts',
    ['test/stories/proven-log.test.ts'],
    [["'private, max-age", "'public, max-age"]],
  ),
  ...faultsOf('src/protocol/contract/console/machine.ts', authorization, [["auth: 'session'", "auth: 'none'"]]),
];
