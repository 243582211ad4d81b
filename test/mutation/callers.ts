import { faultsOf, type Fault } from './fault.ts';

const client = ['test/sdk/client/client.test.ts'];
const rounds = ['test/sdk/mcp-v2/rounds.test.ts'];

/** In what asks, and in the console. */
export const callerFaults: Fault[] = [
  ...faultsOf(
    'src/sdk/mcp/question/call.ts',
    ['test/sdk/mcp/question/call-name.test.ts'],
    [["audience === 'requester' ? session : null", 'null']],
  ),
  ...faultsOf(
    'src/sdk/mcp/tools/principal.ts',
    ['test/sdk/mcp-v2/isolation.test.ts'],
    [['if (requester.verified !== caller.verified) return false;', '']],
  ),
  ...faultsOf(
    'src/sdk/mcp/run/settlements.ts',
    ['test/sdk/mcp/run/settlement.test.ts'],
    [['isAwaited && !hasClaimed', 'isAwaited']],
  ),
  ...faultsOf('src/sdk/mcp/sdk-v2/bind.ts', rounds, [
    ['await digestJson(params.arguments ?? {})', 'await digestJson({})'],
  ]),
  ...faultsOf('src/sdk/mcp/elicit/elicit.ts', rounds, [['if (run.isReentered) await run.turn.quiet(signal);', '']]),
  ...faultsOf(
    'src/sdk/mcp/tools/tasks.ts',
    ['test/sdk/mcp-v2/relay.test.ts'],
    [["if (question.audience === 'approvers') throw forApprovers();", '']],
  ),
  ...faultsOf('src/sdk/client/client.ts', client, [['if (state.action === action) return state;', 'return state;']]),
  ...faultsOf(
    'src/sdk/client/outcomes.ts',
    ['test/sdk/client/outcome-waits.test.ts'],
    [['if (message.id !== undefined) position.lastEventId = message.id;', '']],
  ),
  ...faultsOf('src/sdk/client/transport.ts', client, [
    ['if ((retryAfter ?? 0) > maxRetryAfterMs && !hasTime()) throw attempt.problem;', ''],
    ['if (isOfNode) nodes.leave(url);', ''],
  ]),
  ...faultsOf(
    'web/src/requests/decide/use-decision.ts',
    ['test/web/request/vote-body.test.ts'],
    [
      ["return { ...body, action: 'decline' }", "return { digest, action: 'decline' }"],
      ["...(mode === 'form' && { content })", '...{ content }'],
    ],
  ),
  ...faultsOf(
    'web/src/requests/decide/decision-table.ts',
    ['test/web/request/decision-table.test.ts'],
    [
      [
        'firstRefusal(can.breakGlass, sending(facts), read, opened, waited)',
        'firstRefusal(can.breakGlass, sending(facts), read, waited)',
      ],
      [
        'approve: firstRefusal(vote, sending(facts), rested, read, shown, waited)',
        'approve: firstRefusal(vote, sending(facts), rested, shown, waited)',
      ],
    ],
  ),
  ...faultsOf('src/access/keys/verbs/keys.ts', ['test/access/keys/keys.test.ts'], [[' && !isExpired(key, at)', '']]),
  ...faultsOf(
    'src/access/keys/verbs/keys.ts',
    ['test/platform/http/kept-callers.test.ts'],
    [['if (!caller.proof) return caller;', 'return caller;']],
  ),
  ...faultsOf(
    'src/platform/database/epochs.ts',
    ['test/platform/http/kept-callers.test.ts'],
    [['(${input}.keys_epoch IS NULL OR', '(true OR']],
  ),
  ...faultsOf(
    'src/platform/database/epochs.ts',
    ['test/policies/versions/policy-race.test.ts'],
    [['(${input}.policies_epoch IS NULL OR', '(true OR']],
  ),
  ...faultsOf(
    'src/requests/state/store/change-statement.ts',
    ['test/platform/http/kept-callers.test.ts'],
    [['(i.session IS NULL OR EXISTS', '(true OR EXISTS']],
  ),
  ...faultsOf(
    'src/requests/state/verbs/permissions.ts',
    ['test/requests/deliberation/reading-time.test.ts'],
    [["if (at === null) throw new Problem('not-now', { refusal: { code: 'open-first' } });", '']],
  ),
  ...faultsOf('src/access/keys/store.ts', ['test/access/keys/keys.test.ts'], [[' AND m.disabled_at IS NULL', '']]),
  ...faultsOf(
    'src/access/keys/store.ts',
    ['test/access/keys/servers-store.test.ts'],
    [
      ['AND replaced_by IS NULL', ''],
      ['AND revoked_at IS NULL AND (', 'AND ('],
      [' AND (expires_at IS NULL OR expires_at > ${at}::timestamptz)', ''],
      ['AND server_id = (SELECT id FROM server WHERE name = ${name})', ''],
    ],
  ),
  ...faultsOf(
    'src/access/keys/verbs/keys.ts',
    ['test/access/keys/keys.test.ts'],
    [
      [' || !isNear(caller, address)', ''],
      [' && isNear(caller, address)', ''],
      ['Math.min(expiresAt ?? Number.POSITIVE_INFINITY, now + overlapMs)', 'now + overlapMs'],
      ["if (key.revokedAt !== null) throw new Problem('not-now', { refusal: { code: 'key-revoked' } });", ''],
      ["if (isExpired(key, now())) throw new Problem('not-now', { refusal: { code: 'key-expired' } });", ''],
      [' && networks.every(isNetwork)', ''],
    ],
  ),
  ...faultsOf(
    'src/access/keys/verbs/keys.ts',
    ['test/platform/http/kept-callers.test.ts'],
    [[' || !isNear(key, caller.address)', '']],
  ),
  ...faultsOf(
    'src/access/keys/verbs/keys.ts',
    ['test/access/keys/keys.test.ts'],
    [
      ['engine.now() + term, tools, networks', 'engine.now() + term, tools'],
      ['engine.now() + term, tools, networks', 'engine.now() + term, networks'],
    ],
  ),
  ...faultsOf(
    'src/platform/nodes/verbs/networks.ts',
    ['test/access/keys/keys.test.ts'],
    [
      ['.filter((network) => versionOf(network) === version)', ''],
      ["if (versionOf(address) === 'ipv4') return address;", 'return address;'],
      [' || isMapped(address)', ''],
    ],
  ),
  ...faultsOf(
    'src/people/directory/verbs/scope.ts',
    ['test/access/keys/keys.test.ts'],
    [[' || !coversTool(scope, tool)', '']],
  ),
];
