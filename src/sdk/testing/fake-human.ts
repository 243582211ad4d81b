import { createApprove, type Approve, type Elicit } from '../mcp/elicit/elicit.ts';
import type { AssentryClient } from '../client/client.ts';
import { type Audience, type Mode, isClosed } from '#requests/asking/contract/elicitation';
import { Problem } from '#platform/model/problem';
import {
  type AskedQuestion,
  elicitAlone,
  stepsAlone,
  type AloneOptions,
  acceptWith,
  endWith,
  type Ending,
  type Reply,
  type Vote,
  askedQuestion,
  requestOf,
  answerWithDefaults,
  type DefaultAnswers,
  type ElicitationResult,
} from './ending.ts';
import type { Steps } from '../mcp/tools/own-tools.ts';
import { readClientEnv } from '../client/env.ts';
import type { FakeProvider } from './fake-provider.ts';
import { createInMemoryClient, scripted } from './in-memory.ts';

/** The questions that match all given properties, and the reply to them. */
export interface Rule {
  /** The whole message, or a pattern in it. */
  message?: string | RegExp;
  step?: string;
  tool?: string;
  audience?: Audience;
  mode?: Mode;
  /** A field that the form has. */
  field?: string;
  /** Several are used up one after the other; a function is called each time. */
  reply: Reply | readonly Reply[] | ((question: AskedQuestion) => Reply | Promise<Reply>);
}

export interface FakeHuman extends Omit<Steps, 'once'> {
  /** Client for `assentry(mcp, { client })`; call the tools with any MCP client. */
  client: AssentryClient;
  /** Function for a tool's handler, without MCP. */
  elicit: Elicit;
  /** Function for a handler that uses `approve`. */
  approve: Approve;
  /** As `elicit`, within a call that you describe. */
  elicitIn(call: AloneOptions): Elicit;
  /** Every question so far, with its reply. */
  questions: readonly (AskedQuestion & { reply: Reply })[];
  /** The rules that have answered nothing yet. */
  unused(): readonly Rule[];
}

/**
 * Answers a tool's questions from a script, without a server or database: the first rule that fits a question and has a
 * reply left answers it. Answers are validated like a person's, and throw InvalidInputError if they do not fit.
 * A question that no rule answers rejects with `not-found`. Steps at a provider are ended by its `fakeProvider`.
 *
 * ```ts
 * const human = fakeHuman({ message: /^Delete/, reply: approve({ confirmed: true }) });
 * await deleteAccount({ id: '7' }, { elicit: human.elicit });
 * ```
 */
export function fakeHuman(...parts: readonly (Rule | FakeProvider)[]): FakeHuman {
  const questions: (AskedQuestion & { reply: Reply })[] = [];
  const script = parts.flatMap((part) => (scripted in part ? [] : [new ScriptedRule(part)]));
  const providers = parts.flatMap((part) => (scripted in part ? [part[scripted]] : []));
  const client = createInMemoryClient(async (question) => {
    const scripted = script.find((rule) => rule.fits(question));
    if (!scripted) throw new Problem('not-found', { detail: unscripted(question) });
    const reply = await scripted.reply(question);
    questions.push({ ...question, reply });
    return endingOf(question, reply);
  }, providers);
  const elicitIn = (call: AloneOptions) => elicitAlone(client, call);
  const unused = () => script.filter(({ uses }) => uses === 0).map(({ rule }) => rule);
  const elicit = elicitIn({});
  const steps = stepsAlone(client, {});
  return { client, elicit, approve: createApprove(elicit), ...steps, elicitIn, questions, unused };
}

class ScriptedRule {
  readonly rule: Rule;
  uses = 0;

  constructor(rule: Rule) {
    this.rule = rule;
  }

  fits(question: AskedQuestion): boolean {
    const { message, field, reply } = this.rule;
    const isSpent = Array.isArray(reply) && this.uses >= reply.length;
    const isSaid =
      message instanceof RegExp ? question.message.search(message) >= 0 : isAsWanted(message, question.message);
    const hasField = field === undefined || Object.hasOwn(question.schema?.properties ?? {}, field);
    const isMeant = (['step', 'tool', 'audience', 'mode'] as const).every((name) =>
      isAsWanted(this.rule[name], question[name]),
    );
    return !isSpent && isSaid && hasField && isMeant;
  }

  async reply(question: AskedQuestion): Promise<Reply> {
    const { reply } = this.rule;
    const used = this.uses++;
    if (typeof reply === 'function') return reply(question);
    return isList(reply) ? (reply[used] as Reply) : reply; // `fits` has seen that one is left
  }
}

const isAsWanted = (expected: string | undefined, actual: string): boolean =>
  expected === undefined || expected === actual;
const isList = (reply: Reply | readonly Reply[]): reply is readonly Reply[] => Array.isArray(reply);

const unscripted = ({ message, audience, step }: AskedQuestion): string =>
  `No rule of the fake human answers "${message}" (step ${step}, for the ${audience}).`;

function endingOf(question: AskedQuestion, reply: Reply): Ending {
  if (reply.action === 'time-out') return { status: 'expired' };
  if (isVote(reply) !== (question.audience === 'approvers'))
    throw new Problem('forbidden', { detail: wrongUser(question) });
  if (!isVote(reply)) return endWith(question, reply);
  if (reply.action === 'approve') return acceptWith(question, reply.content, reply.comment);
  return { status: 'declined', comment: reply.comment };
}

const isVote = (reply: Reply): reply is Vote => reply.action === 'approve' || reply.action === 'refuse';

const wrongUser = ({ message, audience }: AskedQuestion): string =>
  audience === 'approvers'
    ? `"${message}" is for approvers: reply with approve() or refuse().`
    : `"${message}" is for the requester, who has no vote: reply with accept(), decline() or cancel().`;

export interface NonInteractiveOptions extends DefaultAnswers {
  /** The orchestrator, if its policies should apply and the answers be recorded; without it there is no server. */
  client?: AssentryClient | undefined;
}

/**
 * A client for `assentry(mcp, { client })` that answers for the requester if there is none, as in CI: it fills in a
 * form with the given defaults and its own, and declines everything else, with the reason as comment. It never
 * approves: with an orchestrator, approvers' questions wait for approvers; without one, they are declined.
 *
 * ```ts
 * const client = nonInteractive({ defaults: { name: 'CI User' }, answer: ({ mode }) => (mode === 'url' ? accept() :
 * undefined) });
 * ```
 */
export function nonInteractive({ client, ...answers }: NonInteractiveOptions = {}): AssentryClient {
  const answer = answerWithDefaults(answers);
  const reply = (question: AskedQuestion) => answer(requestOf(question));
  return client ? answeringFor(client, reply) : createInMemoryClient((question) => endAlone(question, reply));
}

/**
 * The same if ASSENTRY_NON_INTERACTIVE is `1` or `true`, otherwise undefined, so that `assentry(mcp, { client })` asks
 * people. Throws `config-invalid` if the variable has any value but these, `0`, `false` or nothing.
 */
export function nonInteractiveInCi(options?: NonInteractiveOptions): AssentryClient | undefined {
  const { nonInteractive: setting = '' } = readClientEnv();
  if (['1', 'true'].includes(setting)) return nonInteractive(options);
  if (['', '0', 'false'].includes(setting)) return undefined;
  const detail = `Set ASSENTRY_NON_INTERACTIVE to 1 or true, 0 or false, or not at all: it is "${setting}".`;
  throw new Problem('config-invalid', { detail });
}

type ReplyTo = (question: AskedQuestion) => Promise<ElicitationResult>;

/** Client whose answers are recorded as passed on by a program, never as a person's own answer or vote. */
function answeringFor(client: AssentryClient, reply: ReplyTo): AssentryClient {
  const open: AssentryClient['open'] = async (request, options = {}) => {
    const opened = await client.open(request, options);
    if (isClosed(opened.status) || opened.audience !== 'requester') return opened;
    const result = await reply(askedQuestion(opened.id, request));
    const content = result.action === 'accept' && opened.mode === 'form' ? { content: result.content ?? {} } : {};
    const { action } = result;
    const state = await client.answer(opened.id, { action, ...content, channel: 'told' }, options);
    return { ...state, joined: opened.joined };
  };
  return { ...client, open };
}

async function endAlone(question: AskedQuestion, reply: ReplyTo): Promise<Ending> {
  if (question.audience === 'approvers') return { status: 'declined', comment: noOneApproves };
  return endWith(question, await reply(question));
}

const noOneApproves = 'No one can approve here: this run is not interactive.';
