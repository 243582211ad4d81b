import { faultsOf, type Fault } from './fault.ts';

const client = ['test/client/client.test.ts'];
const rounds = ['test/mcp-v2/rounds.test.ts'];

/** In what asks, and in the console. */
export const callerFaults: Fault[] = [
  ...faultsOf(
    'src/sdk/mcp/question/call-name.ts',
    ['test/mcp/question/call-name.test.ts'],
    [["audience === 'requester' ? session : null", 'null']],
  ),
  ...faultsOf(
    'src/sdk/mcp/tools/own-call.ts',
    ['test/mcp-v2/isolation.test.ts'],
    [['if (requester.verified !== caller.verified) return false;', '']],
  ),
  ...faultsOf(
    'src/sdk/mcp/run/settlement.ts',
    ['test/mcp/run/settlement.test.ts'],
    [['isAwaited && !hasClaimed', 'isAwaited']],
  ),
  ...faultsOf('src/sdk/mcp/sdk-v2/intercept.ts', rounds, [
    ['await digestJson(params.arguments ?? {})', 'await digestJson({})'],
  ]),
  ...faultsOf('src/sdk/mcp/elicit/result-flow.ts', rounds, [
    ['if (run.isReentered) await run.turn.quiet(signal);', ''],
  ]),
  ...faultsOf(
    'src/sdk/mcp/tools/pending-tools.ts',
    ['test/mcp-v2/relay.test.ts'],
    [["if (question.audience === 'approvers') throw forApprovers();", '']],
  ),
  ...faultsOf('src/sdk/client/client.ts', client, [['if (state.action === action) return state;', 'return state;']]),
  ...faultsOf(
    'src/sdk/client/outcome-stream.ts',
    ['test/client/outcome-waits.test.ts'],
    [['if (message.id !== undefined) position.lastEventId = message.id;', '']],
  ),
  ...faultsOf('src/sdk/client/exchange.ts', client, [
    ['if ((retryAfter ?? 0) > maxRetryAfterMs && !hasTime()) throw attempt.problem;', ''],
    ['if (isOfNode) nodes.leave(url);', ''],
  ]),
  ...faultsOf(
    'web/src/pages/request/state/vote-body.ts',
    ['test/web/request/vote-body.test.ts'],
    [
      ["return { ...body, action: 'decline' }", "return { digest, action: 'decline' }"],
      ["...(mode === 'form' && { content })", '...{ content }'],
    ],
  ),
  ...faultsOf(
    'web/src/pages/request/state/decision-table.ts',
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
  ...faultsOf(
    'src/server/engine/users/server-key.ts',
    ['test/api/users/keys.test.ts'],
    [[' && !isExpired(key, at)', '']],
  ),
  ...faultsOf(
    'src/server/engine/users/server-key.ts',
    ['test/api/http/kept-callers.test.ts'],
    [['if (!caller.proof) return caller;', 'return caller;']],
  ),
  ...faultsOf(
    'src/server/store/database/epochs.ts',
    ['test/api/http/kept-callers.test.ts'],
    [['(${input}.keys_epoch IS NULL OR', '(true OR']],
  ),
  ...faultsOf(
    'src/server/store/database/epochs.ts',
    ['test/api/policies/policy-race.test.ts'],
    [['(${input}.policies_epoch IS NULL OR', '(true OR']],
  ),
  ...faultsOf(
    'src/server/store/elicitation/change-statement.ts',
    ['test/api/http/kept-callers.test.ts'],
    [['(i.session IS NULL OR EXISTS', '(true OR EXISTS']],
  ),
  ...faultsOf(
    'src/server/engine/elicitation/assert-vote.ts',
    ['test/api/deliberation/reading-time.test.ts'],
    [["if (at === null) throw new Problem('not-now', { refusal: { code: 'open-first' } });", '']],
  ),
  ...faultsOf(
    'src/server/store/users/servers.ts',
    ['test/api/users/keys.test.ts'],
    [[' AND m.disabled_at IS NULL', '']],
  ),
  ...faultsOf(
    'src/server/store/users/servers.ts',
    ['test/store/users/servers.test.ts'],
    [
      ['AND replaced_by IS NULL', ''],
      ['AND revoked_at IS NULL AND (', 'AND ('],
      [' AND (expires_at IS NULL OR expires_at > ${at}::timestamptz)', ''],
      ['AND server_id = (SELECT id FROM server WHERE name = ${name})', ''],
    ],
  ),
  ...faultsOf(
    'src/server/engine/users/server-key.ts',
    ['test/api/users/keys.test.ts'],
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
    'src/server/engine/users/server-key.ts',
    ['test/api/http/kept-callers.test.ts'],
    [[' || !isNear(key, caller.address)', '']],
  ),
  ...faultsOf(
    'src/server/engine/users/rotate-key.ts',
    ['test/api/users/keys.test.ts'],
    [
      ['engine.now() + term, tools, networks', 'engine.now() + term, tools'],
      ['engine.now() + term, tools, networks', 'engine.now() + term, networks'],
    ],
  ),
  ...faultsOf(
    'src/server/engine/networks.ts',
    ['test/api/users/keys.test.ts'],
    [
      ['.filter((network) => versionOf(network) === version)', ''],
      ["if (versionOf(address) === 'ipv4') return address;", 'return address;'],
      [' || isMapped(address)', ''],
    ],
  ),
  ...faultsOf(
    'src/server/engine/key-scope.ts',
    ['test/api/users/keys.test.ts'],
    [[' || !coversTool(scope, tool)', '']],
  ),
];
