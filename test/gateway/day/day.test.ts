import { expect, test } from '@jest/globals';
import { choiceOf } from '#policies/verbs/apply';
import { factsOf as askedFacts } from '#requests/state/verbs/change';
import { annotationsOf, digestTool, type ToolDefinition, judgedHints } from '#gateway/tools/definition';
import { readingPolicy } from '#policies/command/first-policies';
import { decide } from '#policies/deciding/rules/decide';
import { alwaysConditions, type AlwaysCondition } from '#policies/language/rules/always';
import type { Facts } from '#policies/document/rules/document';
import { bookOf } from '../../policies/policies.ts';
import { directoryOf } from '../../policies/users.ts';
import { recordedTool } from '../tools/recorded.ts';
import { day, project, type DayCall } from './calls.ts';
import type { ToolAnnotations } from '#requests/asking/contract/open';

type Hints = (tool: ToolDefinition, args: Record<string, unknown>) => Promise<ToolAnnotations>;

const asServersSay: Hints = async (tool) => annotationsOf(tool);
const asJudged: Hints = async (tool, args) => judgedHints(tool, await digestTool(tool), args);
const now = Date.parse('2026-11-23T08:00:00Z');

async function factsFor({ package: from, tool, args }: DayCall, hints: Hints): Promise<Facts> {
  const annotations = await hints(recordedTool(from, tool), args);
  const question = {
    server: from === 'playwright' ? 'mcp-playwright' : `server-${from}`,
    tool,
    arguments: args,
    annotations: { ...annotations },
    mode: 'form' as const,
    audience: 'approvers' as const,
    reason: null,
    requester: { subject: 'local:ada', verified: false },
    schema: { type: 'object' as const, properties: {} },
  };
  const defaults = { unknownTools: 'approvers', requester: 'any', readingTime: 0 } as const;
  return askedFacts(question, directoryOf(), { environment: 'trial', defaults }, now);
}

interface Outcome {
  call: DayCall;
  isAsked: boolean;
  policy: string;
}

/** The day under these policies; who is asked about an ordinary call approves, and makes the rule that they would. */
async function live(hints: Hints, rule: (facts: Facts) => AlwaysCondition | undefined): Promise<Outcome[]> {
  const policies = [readingPolicy];
  const outcomes: Outcome[] = [];
  for (const call of [...day, ...harmful]) {
    const facts = await factsFor(call, hints);
    const verdict = decide(bookOf(...policies), facts);
    const isAsked = verdict.outcome !== 'allow';
    outcomes.push({ call, isAsked, policy: verdict.policy });
    const condition = isAsked && call.harm === undefined ? rule(facts) : undefined;
    if (condition) policies.push(choiceOf(condition, facts, '2026-12-23T08:00:00Z').document);
  }
  return outcomes;
}

/** For files the whole project, with the tools that write alike; for everything else the first that is offered. */
function defaultRule(facts: Facts): AlwaysCondition | undefined {
  const choices = alwaysConditions(facts);
  return choices.findLast(({ kind, value }) => kind === 'folder' && value === project) ?? choices[0];
}

const questionsIn = (outcomes: Outcome[]): DayCall[] =>
  outcomes.filter(({ isAsked, call }) => isAsked && call.harm === undefined).map(({ call }) => call);
const harmless = day.filter(({ harm }) => harm === undefined);
/** They come once more at the end, when all rules hold. */
const harmful = day.filter(({ harm }) => harm !== undefined);

test('a day of 110 calls with ten harmful ones among them asks few questions, and nothing harmful runs', async () => {
  expect(harmless.map(({ package: from }) => from).filter((from) => from === 'github')).toHaveLength(30);
  expect([day.length, harmless.length]).toEqual([120, 110]);
  const before = questionsIn(await live(asServersSay, () => undefined));
  const outcomes = await live(asJudged, defaultRule);
  const after = questionsIn(outcomes);
  const ran = outcomes.filter(({ isAsked }) => !isAsked);
  process.stdout.write(`${tellDay(before, after, ran)}\n`);
  expect(ran.filter(({ call }) => call.harm !== undefined)).toEqual([]);
  expect(before.length).toBeGreaterThan(60);
  expect(after.length).toBeLessThanOrEqual(8);
});

test('the hints of the servers alone, without the table, let a harmful call run', async () => {
  const ran = (await live(asServersSay, defaultRule)).filter(
    ({ isAsked, call }) => !isAsked && call.harm !== undefined,
  );
  expect(ran.map(({ call }) => call.harm)).toEqual([
    'writes a file by a tool that reads',
    'writes a file by a tool that reads',
  ]);
});

const nameOf = ({ tool, args }: DayCall): string => `${tool} ${JSON.stringify(args).slice(0, 90)}`;

/** What passed, each with the policy that let it, and what people were asked. */
const tellDay = (before: DayCall[], after: DayCall[], ran: Outcome[]): string =>
  [
    `Questions before: ${before.length} of ${harmless.length}. After: ${after.length}:`,
    ...after.map((call) => `  ? ${nameOf(call)}`),
    `Passed: ${ran.length}:`,
    ...ran.map(({ call, policy }) => `  ${policy}: ${nameOf(call)}`),
    'Held, and declined:',
    ...harmful.map((call) => `  ! ${nameOf(call)}: ${call.harm}`),
  ].join('\n');
