import type { OpenedElicitation } from '../../../client/client.ts';
import { formatIssue } from '#platform/http/contract/problem';
import { OpenElicitation } from '#requests/asking/contract/open';
import { Problem } from '#platform/model/problem';
import type { Asking } from '../../question/question/asking.ts';
import { refuseSecrets } from '../../question/callback-secrets.ts';
import { callContext } from './call-context.ts';
import type { Channel } from '../../question/call/channel.ts';
import { draftRequest, nameRequest } from './draft-request.ts';
import type { ElicitOptions } from '../../question/question/elicit-options.ts';
import type { BuiltContext, RequestParams } from '../../hooks/hooks/hook-contexts.ts';
import { readQuestion, type Asks, type Question } from '../../question/question/question.ts';
import { requireAskable } from '../../question/call/require-askable.ts';
import type { Run } from '../../run/run/run.ts';
import { runStage } from '../../hooks/hooks/run-stage.ts';

/** The question and its options, as the tool asks. */
interface Asked extends Pick<Asking, 'step' | 'signal' | 'decided'> {
  message: string;
  asks: Asks;
  options: ElicitOptions;
}

const at = <S extends string>(stage: S) => ({ flow: 'request', stage }) as const;
const nothing = { keep: undefined, show: () => ({}) };

/** The first stages: from the tool's arguments to the request to store. */
export async function prepareRequest(run: Run, input: Asked): Promise<Asking> {
  const { step, signal, decided, message, asks } = input;
  const { hooks } = run.settings;
  const facts = callContext(run, input);
  const takesEdits = await run.takesEdits();
  const { key: _key, signal: _signal, ...options } = input.options;
  const initial = { settable: { message, asks, options }, shown: () => facts };
  const parsed = await runStage(hooks, at('parseInput'), initial, (context) => {
    requireAskable(context.message, context.asks, context.options);
    const question = readQuestion(context.message, context.asks, context.options);
    const draft = draftRequest(run, question, { step, takesEdits }, { ofAuthor: input.options, set: context.options });
    return { keep: { question, draft }, show: () => ({ request: structuredClone(draft) }) };
  });
  const shown = (): object => ({ ...facts, request: structuredClone(parsed.draft) });
  await runStage(hooks, at('validateRequest'), { settable: {}, shown }, () => {
    requireStorable(parsed.draft);
    const { url, message: text, schema, facts, reason } = parsed.draft;
    refuseSecrets(run.client, { url, message: text, schema, facts, reason });
    return nothing;
  });
  const { elicitationId } = parsed.draft;
  const named = await runStage(
    hooks,
    at('generateElicitId'),
    { settable: { elicitationId }, shown },
    async (context) => {
      const question = withToken(parsed.question, context.elicitationId);
      const request = await nameRequest(run, parsed.draft, question);
      return { keep: { question, request }, show: () => ({ request: structuredClone(request) }) };
    },
  );
  return { ...named, step, signal, decided };
}

function requireStorable(draft: OpenElicitation): void {
  const { error } = OpenElicitation.safeParse(draft, { error: formatIssue });
  if (!error) return;
  const errors = error.issues.map(({ path, message }) => ({ path: path.map(asPath), message }));
  throw new Problem('INVALID_INPUT', { detail: 'Correct the question: parts of it are invalid.', errors });
}

const asPath = (part: PropertyKey): string | number => (typeof part === 'symbol' ? String(part) : part);

const withToken = (question: Question, elicitationId: string | undefined): Question =>
  question.mode === 'url' ? { ...question, elicitationId } : question;

/** Stores the question, or joins what an earlier run of the same call stored. */
export function storeRecord(
  run: Run,
  asking: Asking,
  store: () => Promise<OpenedElicitation>,
): Promise<OpenedElicitation> {
  const shown = (): object => ({ ...callContext(run, asking), request: structuredClone(asking.request) });
  return runStage(run.settings.hooks, at('storePendingRecord'), { settable: {}, shown }, async () => {
    const opened = await store();
    return { keep: opened, show: () => ({ elicitation: showRecord(opened) }) };
  });
}

/** The last stages, for a question that is about to be sent; returns the question as sent. */
export async function buildParams(
  run: Run,
  asking: Asking,
  opened: OpenedElicitation,
  channel: Channel,
): Promise<Question> {
  const { hooks } = run.settings;
  const stored = () => ({
    ...callContext(run, asking),
    request: structuredClone(asking.request),
    elicitation: showRecord(opened),
    channel,
  });
  const settable = { meta: undefined as Record<string, unknown> | undefined };
  const built = await runStage(hooks, at('buildRequestParams'), { settable, shown: stored }, ({ meta }) => {
    refuseSecrets(run.client, { meta });
    const question = meta ? { ...asking.question, meta } : asking.question;
    return { keep: question, show: () => ({ params: showParams(question, opened) }) };
  });
  const shown = (): BuiltContext => ({ ...stored(), params: showParams(built, opened) });
  await runStage(hooks, at('finalize'), { settable: {}, shown }, () => nothing);
  return built;
}

/** Without the code, which only the requester's own machine may show. */
function showRecord({ code: _code, ...record }: OpenedElicitation): Omit<OpenedElicitation, 'code'> {
  return structuredClone(record);
}

function showParams(question: Question, opened: OpenedElicitation): RequestParams {
  const { message, meta } = question;
  const own = meta && { _meta: meta };
  if (question.mode === 'form')
    return structuredClone({ mode: 'form', message, requestedSchema: question.schema, ...own });
  const { elicitationId = opened.id } = question;
  const { url } = opened;
  return structuredClone({ mode: 'url', message, ...(url !== undefined && { url }), elicitationId, ...own });
}
