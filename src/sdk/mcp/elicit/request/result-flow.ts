import type { ElicitationState } from '../../../client/client.ts';
import type { FormContent } from '#platform/form/schema';
import { isClosed, outcomeAction } from '#requests/asking/contract/elicitation';
import { Problem } from '#platform/model/problem';
import type { Asking } from '../../question/question/asking.ts';
import { callContext } from './call-context.ts';
import type { ElicitResult } from '../../question/result/elicit-result.ts';
import { ElicitationTimeoutError, InvalidInputError } from '../../question/errors/errors.ts';
import { faultsOf } from '../../question/question/faults.ts';
import type { PendingContext } from '../../hooks/hooks/hook-contexts.ts';
import type { Question } from '../../question/question/question.ts';
import type { Run } from '../../run/run/run.ts';
import { runStage } from '../../hooks/hooks/run-stage.ts';
import { takeExecution } from '../../run/take-execution.ts';

const at = <S extends string>(stage: S) => ({ flow: 'result', stage }) as const;
const nothing = { keep: undefined, show: () => ({}) };

/** What `elicit()` resolves with, once the row is closed; an accept only for the one run that may act on it. */
export async function resultOf(run: Run, asking: Asking, state: ElicitationState): Promise<ElicitResult<unknown>> {
  const { question } = asking;
  const { hooks } = run.settings;
  const pending = await findPending(run, asking, state);
  const content = await settleContent(run, question, state, pending);
  const shown = () => ({ ...pending(), content: structuredClone(content), result: build(question, state, content) });
  await runStage(hooks, at('publishResult'), { settable: {}, shown }, async () => {
    if (content) await release(run, asking, state);
    return nothing;
  });
  await runStage(hooks, at('finalize'), { settable: {}, shown }, () => nothing);
  return build(question, state, content);
}

async function findPending(run: Run, asking: Asking, state: ElicitationState): Promise<() => PendingContext> {
  const { hooks } = run.settings;
  const received = { ...callContext(run, asking), elicitId: state.id };
  const { comment, cause } = state;
  const answer = { action: actionOf(state), comment, cause };
  const looked = { ...received, ...answer };
  const pending = (): PendingContext => ({ ...looked, elicitation: structuredClone(state) });
  await runStage(hooks, at('parseInput'), { settable: {}, shown: () => received }, () => ({
    ...nothing,
    show: () => answer,
  }));
  await runStage(hooks, at('lookupPending'), { settable: {}, shown: () => looked }, () => ({
    ...nothing,
    show: pending,
  }));
  return pending;
}

/**
 * The recorded answer satisfies its form, but maybe not the zod schema; content from a hook is validated by the form
 * again.
 */
async function settleContent(
  run: Run,
  question: Question,
  state: ElicitationState,
  shown: () => PendingContext,
): Promise<FormContent | undefined> {
  const { hooks } = run.settings;
  const isAccept = state.status === 'accepted';
  const read = (content: unknown) => (isAccept ? readRecorded(question, content) : undefined);
  const recorded = { content: isAccept ? structuredClone(state.content ?? {}) : undefined };
  const checked = await runStage(hooks, at('validateContent'), { settable: recorded, shown }, (context) => {
    const content = read(context.content);
    return { keep: content, show: () => ({ content: structuredClone(content) }) };
  });
  const settable = { content: structuredClone(checked) };
  return runStage(hooks, at('buildResult'), { settable, shown }, (context) => {
    const content = read(context.content);
    return {
      keep: content,
      show: () => ({ content: structuredClone(content), result: build(question, state, content) }),
    };
  });
}

/** Refinements run in the tool alone: answers from the console or a page were not checked against them. */
function readRecorded(question: Question, content: unknown): FormContent {
  const faults = faultsOf(question, content);
  if (faults.length > 0) throw new InvalidInputError(faults, unheeded);
  return question.read(content).form;
}

const unheeded =
  'Invalid elicitation result content: the answer was recorded but fails the tool’s own validation. ' +
  'The tool did not use it; call again to ask again.';

/** Releases an accept to one of all runs of its call. */
async function release(run: Run, { question, signal }: Asking, state: ElicitationState): Promise<void> {
  if (run.isReentered) await run.turn.quiet(signal);
  await takeExecution(run, question, state);
}

/** An expired question has no result. */
function actionOf({ id, status, openedAt, deadlineAt }: ElicitationState) {
  if (status === 'expired') throw new ElicitationTimeoutError(id, deadlineAt - openedAt);
  if (!isClosed(status)) throw new Problem('internal');
  return outcomeAction[status];
}

/** A new copy each time, so that a hook's changes have no effect. */
function build(question: Question, state: ElicitationState, content: FormContent | undefined): ElicitResult<unknown> {
  const comment = state.comment === null ? {} : { comment: state.comment };
  if (content) return { status: 'accept', content: question.read(content).value, ...comment };
  if (state.status === 'declined') return { status: 'decline', ...comment };
  return { status: 'cancel', ...comment, ...(state.cause && { cause: state.cause }) };
}
