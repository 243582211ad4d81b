import type { AssentryClient } from '../../client/client.ts';
import { readClientEnv } from '../../client/env.ts';
import { isClosed } from '#requests/asking/contract/elicitation';
import { Problem } from '#platform/model/problem';
import { askedQuestion, requestOf, type AskedQuestion } from '../ending/asked-question.ts';
import { answerWithDefaults, type DefaultAnswers } from '../ending/default-answers.ts';
import type { ElicitationResult } from '../ending/elicitation-result.ts';
import { endWith, type Ending } from '../ending/ending.ts';
import { createInMemoryClient } from './in-memory-client.ts';

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

/** Answers are recorded as passed on by a program, never as a person's own answer or vote. */
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
