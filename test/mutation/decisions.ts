import { faultsOf, type Fault } from './fault.ts';
import { termFaults } from './terms.ts';

const approvers = ['test/requests/machine/approvers.test.ts'];
const deciding = ['test/policies/deciding/decide.test.ts'];
const unaccepted = ['test/policies/deciding/unaccepted.test.ts'];
const severalRules = ['test/policies/deciding/rules.test.ts'];
const always = ['test/policies/language/always-conditions.test.ts'];
const places = ['test/policies/language/places.test.ts'];
const stages = ['test/policies/stages/resolve-stages.test.ts'];

/** In what decides without a clock: quorum, machine and policies. */
export const decisionFaults: Fault[] = [
  ...faultsOf(
    'src/policies/deciding/rules/decide.ts',
    ['test/policies/deciding/space-policies.properties.test.ts'],
    [
      ["if (first.outcome === 'allow' && second.outcome === 'allow')", "if (second.outcome === 'allow')"],
      ["if (first.outcome === 'deny') return first;", ''],
      ["if (second.outcome === 'deny') return second;", "if (second.outcome === 'deny') return first;"],
      ['combine(first.requirement, second.requirement, defaults)', 'second.requirement'],
      ['risk: higherRisk(risk, requirement.risk ?? risk),', ''],
    ],
  ),
  ...faultsOf('src/policies/deciding/rules/decide.ts', unaccepted, [
    ['by.length > 0 && by.every(', 'by.every('],
    ['by.length > 0 && by.every(', 'by.some('],
    ['first.outcome === second.outcome &&\n', ''],
  ]),
  ...faultsOf('src/policies/deciding/rules/describe.ts', unaccepted, [
    ['!unaccepted || ', ''],
    ["risk: request.risk === 'low' ? 'medium' : request.risk", 'risk: request.risk'],
    ['[facts, bare]', '[facts]'],
  ]),
  ...faultsOf('src/policies/deciding/rules/decide.ts', severalRules, [
    ["if (own.result === 'applied') break;", "if (own.result !== 'not-applied') break;"],
    ["if (own.result === 'applied') break;", ''],
    ["own.result === 'applied' ? shared.result : own.result", 'own.result'],
    ["rules.some(({ rule }) => rule.outcome === 'deny')", "rules.every(({ rule }) => rule.outcome === 'deny')"],
  ]),
  ...faultsOf('src/policies/deciding/rules/always-denied.ts', severalRules, [
    ["rules.every(({ rule }) => rule.outcome === 'deny')", "rules.some(({ rule }) => rule.outcome === 'deny')"],
    ['rules.some((rule) => rule.condition === null)', 'true'],
    ['condition === null &&\n', ''],
  ]),
  ...faultsOf('src/policies/deciding/rules/describe.ts', severalRules, [
    ['isForTool(entry.condition) && ', ''],
    ['isForTool(condition) && ', ''],
    [' && !mayTurn(entry.rule)', ''],
  ]),
  ...faultsOf(
    'src/policies/deciding/rules/book.ts',
    ['test/policies/deciding/space-policies.properties.test.ts'],
    [['(spaceId === null || spaceId === space) && ', '']],
  ),
  ...faultsOf(
    'src/people/roles/contract.ts',
    ['test/people/directory/permission.test.ts'],
    [['isInSpaces === true && (', '(']],
  ),
  ...faultsOf(
    'src/requests/voting/contract/stages.ts',
    ['test/requests/voting/quorum.test.ts', ...approvers],
    [
      ['have >= need && !isRefused[at]', 'have >= need'],
      ['refusals >= (stage.groups[at]?.deny ?? 1)', 'refusals > (stage.groups[at]?.deny ?? 1)'],
      [
        "const speaksFor = (ballot: Pick<Ballot, 'by' | 'for'>): string => ballot.for ?? ballot.by",
        "const speaksFor = (ballot: Pick<Ballot, 'by' | 'for'>): string => ballot.by",
      ],
      ['if (isNew) for (const user of users) counted.add(user);', 'if (isNew) counted.add(vote.by);'],
      ['!usersOf(ballot).some((user) => excluded.includes(user)) && groups', 'groups'],
      ['const users = accountsIn(stage, vote);', 'const users = usersOf(vote);'],
      [
        'if (users.has(user) && !gone.has(person)) yield person',
        'if (users.has(user) && !gone.has(person)) yield user',
      ],
    ],
  ),
  ...faultsOf('src/requests/machine/rules/machine.ts', approvers, [
    ['!usersOf(ballot).some((user) => hasVoted(context, user, stage))', '!hasVoted(context, ballot.by, stage)'],
    ['accountsIn(stage ?? {}, vote)', 'usersOf(vote)'],
    ['?.freshVoters ? context.votes : votesInStage(context)', '?.freshVoters ? votesInStage(context) : context.votes'],
    ['votes.filter((vote) => vote.stage <= stage)', 'votes'],
    ['remarks < maxRemarks', 'remarks <= maxRemarks'],
  ]),
  ...faultsOf('src/requests/machine/rules/machine.ts', approvers, [
    ['({ by, for: absent }) => absent ?? by', '({ by }) => by'],
    ['context.escalated >= escalation.steps.length * escalation.loops', 'context.escalated >= escalation.steps.length'],
    ['if (step.stage && !stands(step.stage, current)) return true;', ''],
    ['if (step.stage) return { replacement: { step: at, since: [] } };', ''],
  ]),
  ...faultsOf('src/requests/machine/rules/machine.ts', approvers, [
    ['[...stages, ...inPlace].some(isHollow)', 'stages.some(isHollow)'],
  ]),
  ...faultsOf(
    'src/policies/deciding/rules/standing.ts',
    ['test/policies/deciding/standing.test.ts'],
    [
      ['replacement ? (steps[replacement.step]?.stage?.groups ?? []) : plan.groups', 'plan.groups'],
      ['replacement ? replacement.since.includes(place) : ', ''],
    ],
  ),
  ...faultsOf(
    'src/policies/deciding/rules/shortage.ts',
    ['test/policies/stages/dead-ends.test.ts'],
    [['step.stage ?? ', '']],
  ),
  ...faultsOf(
    'src/requests/machine/rules/step.ts',
    ['test/requests/machine/properties.test.ts'],
    [
      ['delay: waits[at++]', 'delay: 0'],
      ["course.holds(args) ? 'true' : 'false'", "course.holds(args) ? 'false' : 'true'"],
      ['{ ...context, ...course.assigns(args) }', 'context'],
    ],
  ),
  ...faultsOf('src/requests/machine/rules/step.ts', ['test/requests/state/paths.test.ts'], [['at <= now', 'at < now']]),
  ...faultsOf('src/requests/machine/rules/machine.ts', approvers, [[' && watch.until > now;', ';']]),
  ...faultsOf('src/policies/deciding/rules/decide.ts', deciding, [
    ['considered.some(failed) ? higherRisk(written, request.risk) : written', 'written'],
    ["isOutcome<AllowRule>('allow')(first) || considered.some(failed)", "isOutcome<AllowRule>('allow')(first)"],
    ["isOutcome<ConfirmRule>('confirm')(first) || considered.some(failed)", "isOutcome<ConfirmRule>('confirm')(first)"],
  ]),
  ...faultsOf(
    'src/policies/deciding/rules/decide.ts',
    ['test/policies/deciding/guard-requester.test.ts'],
    [["facts.requester.verified || risk === 'low' ? written.grant : null", 'written.grant']],
  ),
  ...faultsOf(
    'src/policies/deciding/rules/decide.ts',
    [...deciding, 'test/policies/deciding/decide.properties.test.ts'],
    [['stages: [...first.stages, ...second.stages]', 'stages: first.stages']],
  ),
  ...termFaults,
  ...faultsOf(
    'src/policies/deciding/rules/decide.ts',
    ['test/policies/deciding/guard-requester.test.ts'],
    [
      ['agentOwner: true', 'agentOwner: false'],
      [" && risk !== 'low'", ''],
      ['...steps.flatMap(({ stage }) => stage ?? [])', ''],
      ['most + count : Math.max(most, count)', 'most + count : most + count'],
    ],
  ),
  ...faultsOf(
    'src/policies/deciding/rules/stages.ts',
    ['test/policies/language/terms.test.ts'],
    [['from <= at && at < until', 'from < at && at < until']],
  ),
  ...faultsOf('src/policies/deciding/rules/stages.ts', stages, [
    ['Math.ceil(', 'Math.round('],
    ['separation.editor ? (before.editors ?? []) : []', 'separation.editor ? [] : []'],
  ]),
  ...faultsOf('src/policies/deciding/rules/shortage.ts', stages, [
    ['stage.freshVoters ? [...stage.excluded, ...earlier] : stage.excluded', 'stage.excluded'],
    ['at === 0 || !start?.freshVoters', 'at === 0'],
  ]),
  ...faultsOf('src/policies/deciding/rules/approvers.ts', stages, [
    [
      'facts.requester.verified ? requesters.map(({ managerId }) => managerId).filter(mayVote) : []',
      'requesters.map(({ managerId }) => managerId).filter(mayVote)',
    ],
  ]),
  ...faultsOf('src/policies/language/rules/always.ts', always, [
    ['hiddenIn(text) === hiddenIn(candidate)', 'true'],
    ['hiddenIn(folder) + 1', 'hiddenIn(folder) + 2'],
    ['!isWide(candidate)', 'true'],
    ['end > 0 && !empty.test(path) && ', 'end > 0 && '],
    ['if (kindOf(name, entry) !== undefined) return false;', ''],
    ['if (isRunning(names, entry)) return words.test(name);', ''],
    ['|| isUnknownRunner(tool, names, entry)', ''],
    ["isRunning(Object.keys(args), entry) && annotations['destructiveHint'] === true", 'false'],
    ['entry?.does ?? toolOfServer(server, tool, [])?.does', 'entry?.does'],
  ]),
  ...faultsOf('src/policies/language/rules/cel.ts', places, [
    ['|^[^.~]{1,7}~\\d', ''],
    ['unclear = /\\p{C}/u', 'unclear = /\\p{Cc}/u'],
  ]),
];
