import { faultsOf, type Fault } from './fault.ts';

const sessions = ['test/access/factors/second-factor.test.ts'];
const routes = ['test/platform/http/authorization.test.ts'];
const presence = ['test/requests/deliberation/presence.test.ts'];
const pages = ['test/requests/pages/page-proof.test.ts'];

/** In what a session opens before its second factor, and in what a code is worth. */
export const secondFactorFaults: Fault[] = [
  ...faultsOf('src/access/sign-in/verbs/sessions.ts', sessions, [
    ["if (step !== null && !openAt.includes(step)) throw new Problem('second-factor-needed');", ''],
    ['return session && stepOf(engine, session) === null ? session : null;', 'return session;'],
  ]),
  ...faultsOf('src/access/factors/contract/factor-rule.ts', routes, [
    ["return hasFactor ? 'prove-factor' : 'enrol-factor';", "return 'enrol-factor';"],
  ]),
  ...faultsOf('src/requests/pages/routes/credentials.ts', pages, [
    ['return session?.step === null ? session.user : null;', 'return session?.user ?? null;'],
  ]),
  ...faultsOf('src/access/factors/store/second-factors.ts', sessions, [
    ['lastStep: { lt: step } }', '}'],
    [' AND NOT ${place}::int = ANY(used_codes)', ''],
  ]),
  ...faultsOf('src/access/sign-in/store/sessions.ts', sessions, [
    ['const own = app.issued_by_id === null ? { hasOwnFactor: true } : {};', 'const own = {};'],
    ["WHEN 'password' THEN a.password_issuer_id IS NULL", "WHEN 'password' THEN true"],
    ["WHEN 'password' THEN a.password_issuer_id IS NULL", "WHEN 'password' THEN false"],
    [
      "const weaker = { hash: copy(hash), userId, assurance: { not: 'multi-factor' } };",
      'const weaker = { hash: copy(hash), userId };',
    ],
  ]),
  ...faultsOf('src/access/sign-in/store/links.ts', sessions, [
    ['if (link.resetsFactors) await removeFactors', 'if (link === null) await removeFactors'],
  ]),
  ...faultsOf('src/access/factors/verbs.ts', sessions, [
    [
      'const { id: userId, credentialIssuer: issuedBy = null } = user;',
      'const { id: userId } = user; const issuedBy = null;',
    ],
  ]),
  ...faultsOf('src/access/factors/verbs.ts', sessions, [
    ["if (!stored.isProven) throw new Problem('unproven', { about: [stored.totp.id] });", ''],
  ]),
  ...faultsOf('src/requests/voting/verbs.ts', presence, [
    [
      'if (isFresh(user.authentication, freshFor, now) && isVouchedFor(needed, user.authentication)) return;',
      'if (isFresh(user.authentication, freshFor, now)) return;',
    ],
    [
      'if (isFresh(user.authentication, freshFor, now) && isVouchedFor(needed, user.authentication)) return;',
      'if (isVouchedFor(needed, user.authentication)) return;',
    ],
  ]),
  ...faultsOf('src/access/passkeys/verbs.ts', presence, [
    ['(await signingPasskeys(engine, user)).length > 0', 'false'],
  ]),
];
