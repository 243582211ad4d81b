import { faultsOf, type Fault } from './fault.ts';

const callback = ['test/requests/asking/callback.test.ts'];
const claim = ['test/requests/asking/claim.test.ts'];
const deliberation = ['test/requests/deliberation/deliberation.test.ts'];
const grants = ['test/requests/deliberation/grants.test.ts'];
const voids = ['test/requests/voting/void-votes.test.ts'];

/** In what loads, decides and stores. */
export const engineFaults: Fault[] = [
  ...faultsOf(
    'src/people/groups/verbs.ts',
    ['test/policies/versions/named-race.test.ts'],
    [['return async (tx) => refuse(await policies.inForceSince(tx, pins));', 'return async () => {};']],
  ),
  ...faultsOf(
    'src/policies/verbs/check.ts',
    ['test/policies/versions/named-race.test.ts'],
    [['if (current !== judged) assert', 'if (current === judged) assert']],
  ),
  ...faultsOf(
    'src/access/keys/verbs/keys.ts',
    ['test/people/directory/revoking-race.test.ts'],
    [["guardOwn({ directory }, by, 'change-keys'", "guardOwn({ directory }, 'operator', 'change-keys'"]],
  ),
  ...faultsOf(
    'src/audit/reports/verbs/insights.ts',
    ['test/audit/search/read-in-space.test.ts'],
    [
      ['(space === undefined || spaceId === space) &&', ''],
      ['ownerId === user.id || ', ''],
    ],
  ),
  ...faultsOf(
    'src/people/directory/verbs/directory.ts',
    ['test/people/spaces/spaces.test.ts'],
    [
      ['if (!by.with.some((id) => isAble(current, id, accepting, space)))', 'if (by.with.length === 0)'],
      [
        'if (!isAble(current, issuerOf(by), permission, isOfToken ? null : space)) throw withoutPermission(permission);',
        '',
      ],
    ],
  ),
  ...faultsOf(
    'src/policies/verbs/draft.ts',
    ['test/people/spaces/spaces.test.ts'],
    [['space: () => space })(tx);', 'space: () => space });']],
  ),
  ...faultsOf('src/requests/voting/verbs.ts', deliberation, [['...(vote.for && { for: vote.for }),', '']]),
  ...faultsOf(
    'src/requests/voting/verbs.ts',
    ['test/requests/voting/vote-race.test.ts'],
    [["if (action === 'decline' && !vote.comment) throw needsComment();", '']],
  ),
  ...faultsOf('src/requests/voting/verbs.ts', grants, [
    ['Math.min(...durations', 'Math.max(...durations'],
    [' && !durations.includes(undefined) ? grant', ' ? grant'],
  ]),
  ...faultsOf(
    'src/requests/voting/verbs.ts',
    ['test/requests/deliberation/confirmation.test.ts'],
    [['    assertTyped(engine, row, terms, vote);\n', '']],
  ),
  ...faultsOf('src/requests/state/verbs/change.ts', deliberation, [["(isWaiting || status === 'accepted')", 'true']]),
  ...faultsOf('src/requests/state/verbs/change.ts', voids, [
    ['timeAfter(engine, row.state.context.now)', 'engine.now()'],
  ]),
  ...faultsOf('src/requests/state/verbs/change.ts', voids, [
    ["due !== null && timerType(due) !== 'elicitation.started'", 'due !== null'],
  ]),
  ...faultsOf(
    'src/requests/asking/verbs/requester.ts',
    ['test/access/keys/key-makers.test.ts'],
    [
      ['isTrial(environment) && server', 'server'],
      ['isTrial(environment) && server !== ownServer.name', 'isTrial(environment)'],
      [' && usersOf(ballot).includes(keyMaker)', ''],
    ],
  ),
  ...faultsOf('src/requests/state/verbs/permissions.ts', deliberation, [
    ["if (seenDigest !== digest) throw new Problem('digest-mismatch');", ''],
  ]),
  ...faultsOf('src/access/sign-in/contract/authentication.ts', deliberation, [
    ["authentication.assurance !== 'none' && ", ''],
    ['provenAt(authentication) + within > now', 'provenAt(authentication) + within >= now'],
  ]),
  ...faultsOf(
    'src/requests/state/verbs/permissions.ts',
    ['test/requests/deliberation/permissions.test.ts'],
    [["[!acts && !may(user, 'tend-requests'), 'not-now', 'other-stage']", "[!acts, 'not-now', 'other-stage']"]],
  ),
  ...faultsOf(
    'src/people/directory/verbs/power.ts',
    ['test/people/roles/roles.test.ts'],
    [
      ['users.some((user) => user.role === role) && givesMore(', 'false && givesMore('],
      ['(!isBuiltInRole(after.role) || may(', '(may('],
    ],
  ),
  ...faultsOf(
    'src/people/roles/verbs.ts',
    ['test/people/roles/roles.test.ts'],
    [
      ['  if (people.length > 0)', '  if (people.length > 99)'],
      ['for (const { id } of voided) await voidVotes(engine, id);', ''],
      ['permissions.length === new Set(chosen).size', 'true'],
    ],
  ),
  ...faultsOf(
    'src/access/workloads/verbs.ts',
    ['test/access/workloads/workloads.test.ts'],
    [["  if (isBuiltIn(id)) throw new Problem('not-found');\n", '']],
  ),
  ...faultsOf(
    'src/people/directory/contract/permission.ts',
    ['test/people/roles/roles.test.ts'],
    [
      [
        'return !(table[permission] as Rule).isForAdministrators && own.includes(permission);',
        'return own.includes(permission);',
      ],
    ],
  ),
  ...faultsOf('src/requests/state/verbs/permissions.ts', deliberation, [
    ['[breakGlass?.userId, row.state.context.breakGlassIssuer].includes(id)', 'false'],
    ["[!mayBreakGlass, 'forbidden', 'needs-break-glass'],", ''],
  ]),
  ...faultsOf('src/requests/deliberation/verbs/emergency.ts', deliberation, [
    ['seen: digest,', ''],
    ['assertFreshSignIn(user, freshEnough, now);', ''],
  ]),
  ...faultsOf('src/requests/claims/verbs/claim.ts', claim, [
    ['elicitations.every(({ closedAt })', 'elicitations.some(({ closedAt })'],
  ]),
  ...faultsOf('src/requests/claims/verbs/claim.ts', claim, [
    ['if (isStale(rows, engine.now()))', 'if (false)'],
    ['if (!isApproved(engine.ring, rows, run))', 'if (false)'],
  ]),
  ...faultsOf(
    'src/requests/asking/verbs/ask.ts',
    ['test/requests/asking/tool-call-state.test.ts'],
    [['  assertSameCall(request, joined?.call);', '']],
  ),
  ...faultsOf('src/requests/asking/verbs/ask.ts', callback, [['  assertSameQuestion(binding, joined?.row?.id);', '']]),
  ...faultsOf(
    'src/requests/asking/verbs/prepare.ts',
    ['test/requests/asking/open-race.test.ts'],
    [['await currentElicitation(engine, equalRow.id)', 'await engine.reader.elicitation(equalRow.id)']],
  ),
  ...faultsOf('src/requests/grants/verbs.ts', grants, [
    [' || verdict.frozen.length > 0', ''],
    ['.some((user) => askers.has(user))', '.some(() => false)'],
  ]),
  ...faultsOf('src/requests/grants/verbs.ts', grants, [
    ['if ((requester.client?.name ?? null) !== agent) return null;', ''],
    ['if (!isSame || isMore) return null;', 'if (!isSame) return null;'],
    [' && amount >= 0', ''],
  ]),
  ...faultsOf(
    'src/people/directory/verbs/directory.ts',
    ['test/people/directory/own-power.test.ts'],
    [
      ["typeof chatMember === 'string' || ", ''],
      ['mayBreakGlass === true || ', ''],
    ],
  ),
  ...faultsOf(
    'src/access/sign-in/verbs/sessions.ts',
    ['test/access/sign-in/sign-in.test.ts'],
    [
      [' || lastSeenAt + sessions.idle <= now()', ''],
      ['expiresAt <= now() || ', ''],
    ],
  ),
  ...faultsOf(
    'src/access/sign-in/verbs/sessions.ts',
    ['test/access/sign-in/console-streams.test.ts'],
    [
      ['proof.users === users && ', ''],
      [' && proof.sessions === sessions', ''],
    ],
  ),
  ...faultsOf(
    'src/requests/inbox/verbs/visibility.ts',
    ['test/requests/deliberation/need-to-know.test.ts'],
    [['  users.owners.get(serverId) === id ||\n', '']],
  ),
  ...faultsOf('src/requests/pages/verbs/callback.ts', callback, [
    ['if (ownerOf(ring, row).session !== session)', 'if (false)'],
    ["if (row.audience !== 'requester') throw forApprovers();", ''],
  ]),
  ...faultsOf('src/requests/pages/verbs/callback.ts', callback, [
    ["if (row.status === 'cancelled' && row.cause !== 'user') return false;", ''],
  ]),
  ...faultsOf('src/requests/pages/verbs/callback.ts', callback, [
    ['if (isBound && !hasLeft)', 'if (false)'],
    ['if (completedBy === undefined && isBound) {', 'if (false) {'],
  ]),
  ...faultsOf(
    'src/requests/pages/verbs/callback.ts',
    ['test/requests/pages/connect-page.test.ts'],
    [['if (state !== undefined && !isState(question, state))', 'if (false)']],
  ),
  ...faultsOf(
    'src/platform/nodes/verbs/feed.ts',
    ['test/platform/nodes/feed.test.ts'],
    [
      ['if (events[0]?.place === position + 1)', 'if (events[0])'],
      ['if (event.place <= position) return;', ''],
    ],
  ),
  ...faultsOf(
    'src/platform/nodes/verbs/engine.ts',
    ['test/platform/nodes/wake.test.ts'],
    [
      ['readPlace(follow.from) ?? now', 'readPlace(follow.from) ?? 0'],
      ['events.length < outboxPage && isWhole ? events : null', 'events'],
      ['last === from + events.length && last >= position', '(events[0]?.place ?? position + 1) <= from + 1'],
    ],
  ),
  ...faultsOf('src/audit/tree/verbs.ts', ['test/audit/verify/another-past.test.ts'], [['    signed = grown;', '']]),
  ...faultsOf(
    'src/audit/verify/verbs/verify-log.ts',
    ['test/audit/verify/tampering.test.ts'],
    [['Number.MAX_SAFE_INTEGER)), ...kept]', 'Number.MAX_SAFE_INTEGER))]']],
  ),
];
