import { faultsOf, type Fault } from './fault.ts';

const sessions = ['test/api/users/second-factor.test.ts'];
const routes = ['test/api/http/authorization.test.ts'];
const presence = ['test/api/deliberation/presence.test.ts'];
const pages = ['test/api/pages/page-proof.test.ts'];

/** In what a session opens before its second factor, and in what a code is worth. */
export const secondFactorFaults: Fault[] = [
  ...faultsOf('src/server/engine/users/sign-in/sessions.ts', sessions, [
    ["if (step !== null && !openAt.includes(step)) throw new Problem('second-factor-needed');", ''],
    ['return session && stepOf(engine, session) === null ? session : null;', 'return session;'],
  ]),
  ...faultsOf('src/protocol/model/sign-in/second-factor.ts', routes, [
    ["return hasFactor ? 'prove-factor' : 'enrol-factor';", "return 'enrol-factor';"],
  ]),
  ...faultsOf('src/server/api/pages/page-exchange.ts', pages, [
    ['return session?.step === null ? session.user : null;', 'return session?.user ?? null;'],
  ]),
  ...faultsOf('src/server/store/users/second-factors.ts', sessions, [
    ['lastStep: { lt: step } }', '}'],
    [' AND NOT ${place}::int = ANY(used_codes)', ''],
  ]),
  ...faultsOf('src/server/store/users/sessions.ts', sessions, [
    ['const own = app.issued_by_id === null ? { hasOwnFactor: true } : {};', 'const own = {};'],
    ["WHEN 'password' THEN a.password_issuer_id IS NULL", "WHEN 'password' THEN true"],
    ["WHEN 'password' THEN a.password_issuer_id IS NULL", "WHEN 'password' THEN false"],
    [
      "const weaker = { hash: copy(hash), userId, assurance: { not: 'multi-factor' } };",
      'const weaker = { hash: copy(hash), userId };',
    ],
  ]),
  ...faultsOf('src/server/store/users/links.ts', sessions, [
    ['if (link.resetsFactors) await removeFactors', 'if (link === null) await removeFactors'],
  ]),
  ...faultsOf('src/server/engine/users/sign-in/second-factor/manage-totp.ts', sessions, [
    [
      'const { id: userId, credentialIssuer: issuedBy = null } = user;',
      'const { id: userId } = user; const issuedBy = null;',
    ],
  ]),
  ...faultsOf('src/server/engine/users/sign-in/second-factor/internal/proven-totp.ts', sessions, [
    ["if (!stored.isProven) throw new Problem('unproven', { about: [stored.totp.id] });", ''],
  ]),
  ...faultsOf('src/server/engine/voting/sign-vote.ts', presence, [
    [
      'if (isFresh(user.authentication, freshFor, now) && isVouchedFor(needed, user.authentication)) return;',
      'if (isFresh(user.authentication, freshFor, now)) return;',
    ],
    [
      'if (isFresh(user.authentication, freshFor, now) && isVouchedFor(needed, user.authentication)) return;',
      'if (isVouchedFor(needed, user.authentication)) return;',
    ],
  ]),
  ...faultsOf('src/server/engine/users/sign-in/passkey/needed-presence.ts', presence, [
    ['(await signingPasskeys(engine, user)).length > 0', 'false'],
  ]),
];
