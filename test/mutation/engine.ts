import { faultsOf, type Fault } from './fault.ts';

const callback = ['test/api/asking/callback.test.ts'];
const claim = ['test/api/asking/claim.test.ts'];
const deliberation = ['test/api/deliberation/deliberation.test.ts'];
const grants = ['test/api/deliberation/grants.test.ts'];
const voids = ['test/engine/voting/void-votes.test.ts'];

/** In what loads, decides and stores. */
export const engineFaults: Fault[] = [
  ...faultsOf(
    'src/server/engine/users/internal/assert-group-not-named.ts',
    ['test/api/policies/named-race.test.ts'],
    [['return async (tx) => refuse(await policies.inForceSince(tx, pins));', 'return async () => {};']],
  ),
  ...faultsOf(
    'src/server/engine/policies/internal/satisfiable.ts',
    ['test/api/policies/named-race.test.ts'],
    [['if (current !== judged) assert', 'if (current === judged) assert']],
  ),
  ...faultsOf(
    'src/server/engine/users/server-key.ts',
    ['test/api/users/revoking-race.test.ts'],
    [["guardOwn({ directory }, by, 'change-keys'", "guardOwn({ directory }, 'operator', 'change-keys'"]],
  ),
  ...faultsOf(
    'src/server/engine/reports/show-insights.ts',
    ['test/api/audit/read-in-space.test.ts'],
    [
      ['(space === undefined || spaceId === space) &&', ''],
      ['ownerId === user.id || ', ''],
    ],
  ),
  ...faultsOf(
    'src/server/engine/users/change-directory.ts',
    ['test/api/users/spaces.test.ts'],
    [
      ['if (!by.with.some((id) => isAble(current, id, accepting, space)))', 'if (by.with.length === 0)'],
      [
        'if (!isAble(current, issuerOf(by), permission, isOfToken ? null : space)) throw withoutPermission(permission);',
        '',
      ],
    ],
  ),
  ...faultsOf(
    'src/server/engine/policies/change-policy.ts',
    ['test/api/users/spaces.test.ts'],
    [['space: () => space })(tx);', 'space: () => space });']],
  ),
  ...faultsOf('src/server/engine/voting/cast-vote.ts', deliberation, [['...(vote.for && { for: vote.for }),', '']]),
  ...faultsOf(
    'src/server/engine/voting/cast-vote.ts',
    ['test/engine/voting/vote-race.test.ts'],
    [["if (action === 'decline' && !vote.comment) throw needsComment();", '']],
  ),
  ...faultsOf('src/server/engine/voting/cast-vote.ts', grants, [
    ['Math.min(...durations', 'Math.max(...durations'],
    [' && !durations.includes(undefined) ? grant', ' ? grant'],
  ]),
  ...faultsOf(
    'src/server/engine/voting/cast-vote.ts',
    ['test/api/deliberation/confirmation.test.ts'],
    [['    assertTyped(engine, row, terms, vote);\n', '']],
  ),
  ...faultsOf('src/server/engine/elicitation/change.ts', deliberation, [
    ["(isWaiting || status === 'accepted')", 'true'],
  ]),
  ...faultsOf('src/server/engine/elicitation/change.ts', voids, [
    ['timeAfter(engine, row.state.context.now)', 'engine.now()'],
  ]),
  ...faultsOf('src/server/engine/elicitation/internal/preceding-change.ts', voids, [
    ["due !== null && timerType(due) !== 'elicitation.started'", 'due !== null'],
  ]),
  ...faultsOf(
    'src/server/engine/elicitation/requesters.ts',
    ['test/api/users/key-makers.test.ts'],
    [
      ['isTrial(environment) && server', 'server'],
      ['isTrial(environment) && server !== ownServer.name', 'isTrial(environment)'],
      [' && usersOf(ballot).includes(keyMaker)', ''],
    ],
  ),
  ...faultsOf('src/server/engine/elicitation/assert-vote.ts', deliberation, [
    ["if (seenDigest !== digest) throw new Problem('digest-mismatch');", ''],
  ]),
  ...faultsOf('src/protocol/model/authentication.ts', deliberation, [
    ["authentication.assurance !== 'none' && ", ''],
    ['provenAt(authentication) + within > now', 'provenAt(authentication) + within >= now'],
  ]),
  ...faultsOf(
    'src/server/engine/elicitation/permissions.ts',
    ['test/api/deliberation/permissions.test.ts'],
    [["[!acts && !may(user, 'tend-requests'), 'not-now', 'other-stage']", "[!acts, 'not-now', 'other-stage']"]],
  ),
  ...faultsOf(
    'src/server/engine/users/power.ts',
    ['test/api/users/roles.test.ts'],
    [
      ['users.some((user) => user.role === role) && givesMore(', 'false && givesMore('],
      ['(!isBuiltInRole(after.role) || may(', '(may('],
    ],
  ),
  ...faultsOf(
    'src/server/engine/users/custom-roles.ts',
    ['test/api/users/roles.test.ts'],
    [
      ['  if (people.length > 0)', '  if (people.length > 99)'],
      ['for (const { id } of voided) await voidVotes(engine, id);', ''],
      ['permissions.length === new Set(chosen).size', 'true'],
    ],
  ),
  ...faultsOf(
    'src/server/engine/users/workloads.ts',
    ['test/api/users/workloads.test.ts'],
    [["  if (isBuiltIn(id)) throw new Problem('not-found');\n", '']],
  ),
  ...faultsOf(
    'src/protocol/model/permission.ts',
    ['test/api/users/roles.test.ts'],
    [
      [
        'return !(table[permission] as Rule).isForAdministrators && own.includes(permission);',
        'return own.includes(permission);',
      ],
    ],
  ),
  ...faultsOf('src/server/engine/elicitation/permissions.ts', deliberation, [
    ['[breakGlass?.userId, row.state.context.breakGlassIssuer].includes(id)', 'false'],
    ["[!mayBreakGlass, 'forbidden', 'needs-break-glass'],", ''],
  ]),
  ...faultsOf('src/server/engine/deliberation/break-glass-elicitation.ts', deliberation, [
    ['seen: digest,', ''],
    ['assertFreshSignIn(user, freshEnough, now);', ''],
  ]),
  ...faultsOf('src/server/engine/asking/find-call.ts', claim, [
    ['elicitations.every(({ closedAt })', 'elicitations.some(({ closedAt })'],
  ]),
  ...faultsOf('src/server/engine/asking/claim-call.ts', claim, [
    ['if (isStale(rows, engine.now()))', 'if (false)'],
    ['if (!isApproved(engine.ring, rows, run))', 'if (false)'],
  ]),
  ...faultsOf(
    'src/server/engine/asking/open-elicitation.ts',
    ['test/api/asking/tool-call-state.test.ts'],
    [['  assertSameCall(request, joined?.call);', '']],
  ),
  ...faultsOf('src/server/engine/asking/open-elicitation.ts', callback, [
    ['  assertSameQuestion(binding, joined?.row?.id);', ''],
  ]),
  ...faultsOf(
    'src/server/engine/asking/internal/join-call.ts',
    ['test/engine/asking/open-race.test.ts'],
    [['await currentElicitation(engine, equalRow.id)', 'await engine.reader.elicitation(equalRow.id)']],
  ),
  ...faultsOf('src/server/engine/grants/use-grant.ts', grants, [
    [' || verdict.frozen.length > 0', ''],
    ['.some((user) => askers.has(user))', '.some(() => false)'],
  ]),
  ...faultsOf('src/server/engine/grants/grant-terms.ts', grants, [
    ['if ((requester.client?.name ?? null) !== agent) return null;', ''],
    ['if (!isSame || isMore) return null;', 'if (!isSame) return null;'],
    [' && amount >= 0', ''],
  ]),
  ...faultsOf(
    'src/server/engine/users/internal/own-power.ts',
    ['test/api/users/own-power.test.ts'],
    [
      ["typeof chatMember === 'string' || ", ''],
      ['mayBreakGlass === true || ', ''],
    ],
  ),
  ...faultsOf(
    'src/server/engine/users/sign-in/sessions.ts',
    ['test/api/users/sign-in.test.ts'],
    [
      [' || lastSeenAt + sessions.idle <= now()', ''],
      ['expiresAt <= now() || ', ''],
    ],
  ),
  ...faultsOf(
    'src/server/engine/users/sign-in/sessions.ts',
    ['test/api/users/console-streams.test.ts'],
    [
      ['proof.users === users && ', ''],
      [' && proof.sessions === sessions', ''],
    ],
  ),
  ...faultsOf(
    'src/server/engine/visibility/visible-of.ts',
    ['test/api/deliberation/need-to-know.test.ts'],
    [['  users.owners.get(serverId) === id ||\n', '']],
  ),
  ...faultsOf('src/server/engine/pages/mint-token.ts', callback, [
    ['if (ownerOf(ring, row).session !== session)', 'if (false)'],
    ["if (row.audience !== 'requester') throw forApprovers();", ''],
  ]),
  ...faultsOf('src/server/engine/pages/take-callback.ts', callback, [
    ["if (row.status === 'cancelled' && row.cause !== 'user') return false;", ''],
  ]),
  ...faultsOf('src/server/engine/pages/take-callback.ts', callback, [
    ['if (isBound && !hasLeft)', 'if (false)'],
    ['if (completedBy === undefined && isBound) {', 'if (false) {'],
  ]),
  ...faultsOf(
    'src/server/engine/pages/take-callback.ts',
    ['test/api/pages/connect-page.test.ts'],
    [['if (state !== undefined && !isState(question, state))', 'if (false)']],
  ),
  ...faultsOf(
    'src/server/engine/feed.ts',
    ['test/engine/feed.test.ts'],
    [
      ['if (events[0]?.place === position + 1)', 'if (events[0])'],
      ['if (event.place <= position) return;', ''],
    ],
  ),
  ...faultsOf(
    'src/server/engine/follow-changes.ts',
    ['test/engine/wake.test.ts'],
    [
      ['readPlace(follow.from) ?? now', 'readPlace(follow.from) ?? 0'],
      ['events.length < outboxPage && isWhole ? events : null', 'events'],
      ['last === from + events.length && last >= position', '(events[0]?.place ?? position + 1) <= from + 1'],
    ],
  ),
  ...faultsOf(
    'src/server/engine/log/sequence-log.ts',
    ['test/audit/another-past.test.ts'],
    [['    signed = grown;', '']],
  ),
  ...faultsOf(
    'src/server/engine/log/verify-log.ts',
    ['test/audit/tampering.test.ts'],
    [['Number.MAX_SAFE_INTEGER)), ...kept]', 'Number.MAX_SAFE_INTEGER))]']],
  ),
];
