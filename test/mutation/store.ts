import { faultsOf, type Fault } from './fault.ts';

const grants = ['test/api/deliberation/grants.test.ts'];

/** In what one SQL statement holds together. */
export const storeFaults: Fault[] = [
  ...faultsOf(
    'src/server/store/users/delegations.ts',
    ['test/api/users/delegations.test.ts'],
    [
      ['from: { disabledAt: null }', 'from: {}'],
      ['.filter(({ fromId }) => able.has(fromId))', ''],
      ['WHERE id = ${delegation.id} AND revoked_at IS NULL', 'WHERE id = ${delegation.id}'],
    ],
  ),
  ...faultsOf(
    'src/server/store/elicitation/tokens.ts',
    ['test/api/asking/callback.test.ts'],
    [[' AND (elicitation_id IS NULL OR elicitation_id = ${elicitation})', '']],
  ),
  ...faultsOf(
    'src/server/store/elicitation/tool-calls.ts',
    ['test/store/elicitation/tool-calls.test.ts'],
    [
      ['AND attempt IS NOT DISTINCT FROM ${call.attempt}', ''],
      ['AND e.version IS DISTINCT FROM', 'AND false AND e.version IS DISTINCT FROM'],
    ],
  ),
  ...faultsOf(
    'src/server/store/elicitation/viewer.ts',
    ['test/api/users/spaces.test.ts'],
    [['`e.server_id = ANY(${watches}::text[])`', '`(${watches}::text[] IS NOT NULL)`']],
  ),
  ...faultsOf(
    'src/server/store/log/entry-search.ts',
    ['test/api/users/spaces.test.ts'],
    [['[isAfter, isOf, isAmong]', '[isAfter, isOf]']],
  ),
  ...faultsOf(
    'src/server/store/elicitation/viewer.ts',
    ['test/store/inbox/inbox.test.ts'],
    [
      ['${isNamed(fromId)} AND ${isFree(fromId)} AND', '${isNamed(fromId)} AND'],
      ["AND NOT ${isInVote('for', user)}", ''],
      ["AND NOT ${isInVote('issuer', user)}", ''],
      ['AND ${credentialIssuer ? isFree(credentialIssuer) : Prisma.sql`true`}', ''],
    ],
  ),
  ...faultsOf(
    'src/server/store/elicitation/page-proofs.ts',
    ['test/api/pages/hosted-page.test.ts'],
    [
      ['        WHERE p.session_hash IS NULL\n', ''],
      ['attempts: { gte: tries } }', '}'],
    ],
  ),
  ...faultsOf(
    'src/server/store/elicitation/page-tries.ts',
    ['test/api/pages/code-tries.test.ts'],
    [
      ['(t.tries < ${most} OR', '(t.tries <= ${most} OR'],
      ['AND t.total < ${total}', ''],
      ['(${isKnown} AND EXISTS (SELECT FROM own))', 'false'],
    ],
  ),
  ...faultsOf(
    'src/server/store/elicitation/outbox.ts',
    ['test/store/elicitation/outbox.test.ts'],
    [
      ['WHERE place > ${place}', 'WHERE place >= ${place}'],
      ['young < youngParts', 'young < 1'],
    ],
  ),
  ...faultsOf(
    'src/server/store/users/directory.ts',
    ['test/api/users/provisioning/races.test.ts'],
    [["if (changes.some(({ write }) => write.type !== 'new-user')) await holdVotes(tx);", '']],
  ),
  ...faultsOf(
    'src/server/store/users/delegations.ts',
    ['test/api/users/provisioning/races.test.ts'],
    [['await holdVotes(tx);', '']],
  ),
  ...faultsOf('src/server/store/elicitation/opening-statement.ts', grants, [
    ['AND g.revoked_at IS NULL', ''],
    ['AND g.suspended_at IS NULL', ''],
    ['AND g.expires_at > to_timestamp(i.opened_at / 1000.0)', ''],
    ['AND g.uses_left IS NOT DISTINCT FROM i.uses_before', ''],
    ['AND g.budget_left IS NOT DISTINCT FROM i.budget_before', ''],
  ]),
  ...faultsOf(
    'src/server/store/database/columns.ts',
    ['test/store/tables/tables.test.ts'],
    [
      ["column.covered === 'always'", "column.covered === 'always' && typeof column.types === 'string'"],
      ['return [at === 0 ? value : { [property]: value }];', 'return [value];'],
      ['...always.map((property) => values[property]), ...rest', '...always.map((property) => values[property])'],
    ],
  ),
  ...faultsOf('src/server/engine/grants/manage-grants.ts', grants, [['(grant.reviewAt ?? 0) > engine.now() && ', '']]),
];
