import { faultsOf, type Fault } from './fault.ts';

const grants = ['test/requests/deliberation/grants.test.ts'];

/** In what one SQL statement holds together. */
export const storeFaults: Fault[] = [
  ...faultsOf(
    'src/people/delegations/store.ts',
    ['test/people/delegations/delegations.test.ts'],
    [
      ['from: { disabledAt: null }', 'from: {}'],
      ['.filter(({ fromId }) => able.has(fromId))', ''],
      ['WHERE id = ${delegation.id} AND revoked_at IS NULL', 'WHERE id = ${delegation.id}'],
    ],
  ),
  ...faultsOf(
    'src/requests/pages/store/tokens.ts',
    ['test/requests/asking/callback.test.ts'],
    [[' AND (elicitation_id IS NULL OR elicitation_id = ${elicitation})', '']],
  ),
  ...faultsOf(
    'src/requests/claims/store.ts',
    ['test/requests/state/tool-calls.test.ts'],
    [
      ['AND attempt IS NOT DISTINCT FROM ${call.attempt}', ''],
      ['AND e.version IS DISTINCT FROM', 'AND false AND e.version IS DISTINCT FROM'],
    ],
  ),
  ...faultsOf(
    'src/requests/inbox/store/inbox.ts',
    ['test/people/spaces/spaces.test.ts'],
    [['`e.server_id = ANY(${watches}::text[])`', '`(${watches}::text[] IS NOT NULL)`']],
  ),
  ...faultsOf(
    'src/audit/search/store.ts',
    ['test/people/spaces/spaces.test.ts'],
    [['[isAfter, isOf, isAmong]', '[isAfter, isOf]']],
  ),
  ...faultsOf(
    'src/requests/inbox/store/inbox.ts',
    ['test/requests/inbox/inbox.test.ts'],
    [
      ['${isNamed(fromId)} AND ${isFree(fromId)} AND', '${isNamed(fromId)} AND'],
      ["AND NOT ${isInVote('for', user)}", ''],
      ["AND NOT ${isInVote('issuer', user)}", ''],
      ['AND ${credentialIssuer ? isFree(credentialIssuer) : Prisma.sql`true`}', ''],
    ],
  ),
  ...faultsOf(
    'src/requests/pages/store/proofs.ts',
    ['test/requests/pages/hosted-page.test.ts'],
    [
      ['        WHERE p.session_hash IS NULL\n', ''],
      ['attempts: { gte: tries } }', '}'],
    ],
  ),
  ...faultsOf(
    'src/requests/pages/store/proofs.ts',
    ['test/requests/pages/code-tries.test.ts'],
    [
      ['(t.tries < ${most} OR', '(t.tries <= ${most} OR'],
      ['AND t.total < ${total}', ''],
      ['(${isKnown} AND EXISTS (SELECT FROM own))', 'false'],
    ],
  ),
  ...faultsOf(
    'src/requests/asking/store/opening.ts',
    ['test/requests/state/outbox.test.ts'],
    [
      ['WHERE place > ${place}', 'WHERE place >= ${place}'],
      ['young < youngParts', 'young < 1'],
    ],
  ),
  ...faultsOf(
    'src/people/directory/store/directory.ts',
    ['test/access/scim/provisioning/races.test.ts'],
    [["if (changes.some(({ write }) => write.type !== 'new-user')) await holdVotes(tx);", '']],
  ),
  ...faultsOf(
    'src/people/delegations/store.ts',
    ['test/access/scim/provisioning/races.test.ts'],
    [['await holdVotes(tx);', '']],
  ),
  ...faultsOf('src/requests/asking/store/opening.ts', grants, [
    ['AND g.revoked_at IS NULL', ''],
    ['AND g.suspended_at IS NULL', ''],
    ['AND g.expires_at > to_timestamp(i.opened_at / 1000.0)', ''],
    ['AND g.uses_left IS NOT DISTINCT FROM i.uses_before', ''],
    ['AND g.budget_left IS NOT DISTINCT FROM i.budget_before', ''],
  ]),
  ...faultsOf(
    'src/platform/database/sql.ts',
    ['test/platform/database/tables.test.ts'],
    [
      ["column.covered === 'always'", "column.covered === 'always' && typeof column.types === 'string'"],
      ['return [at === 0 ? value : { [property]: value }];', 'return [value];'],
      ['...always.map((property) => values[property]), ...rest', '...always.map((property) => values[property])'],
    ],
  ),
  ...faultsOf('src/requests/grants/verbs.ts', grants, [['(grant.reviewAt ?? 0) > engine.now() && ', '']]),
];
