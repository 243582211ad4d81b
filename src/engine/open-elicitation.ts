import { auditEntry } from '../audit/entry.ts';
import { actionDigest } from '../crypto/action-digest.ts';
import { canonicalJson } from '../crypto/canonical-json.ts';
import { sha256 } from '../crypto/digest.ts';
import { lookupHash } from '../crypto/lookup-hash.ts';
import { newOneTimeCode } from '../crypto/one-time-secret.ts';
import { newId, randomSecret } from '../crypto/random.ts';
import { begin } from '../machine/step.ts';
import type { Audience, Mode } from '../model/elicitation.ts';
import type { ToolCallId } from '../model/id.ts';
import type { Requester, ServerCaller } from '../model/person.ts';
import { judge, type Verdict } from '../policy/built-in-policy.ts';
import type { ElicitationRow } from '../store/elicitation-row.ts';
import type { Opening } from '../store/transactor.ts';
import { bindToken, readBinding, refuseOtherQuestion, type Binding } from './bind-token.ts';
import { cancelElicitation } from './cancel-elicitation.ts';
import { checkQuestion, type CheckedQuestion } from './check-question.ts';
import { viewElicitation, type ElicitationView } from './elicitation-view.ts';
import type { Engine } from './engine.ts';
import { hostedPageCode } from './hosted-page-code.ts';
import { joinCall, type CallName } from './join-call.ts';
import { isLoopback } from './loopback.ts';
import { openQuestion, sealQuestion, type Question } from './sealed-question.ts';
import { supersedeOlder } from './supersede.ts';
import { releaseToolCall } from './tool-call.ts';

export interface OpenRequest {
  tool: {
    name: string;
    title?: string | undefined;
    description?: string | undefined;
    annotations?: { readOnlyHint?: boolean | undefined; destructiveHint?: boolean | undefined } | undefined;
    schemaDigest?: string | undefined;
  };
  arguments: Record<string, unknown>;
  message: string;
  mode: Mode;
  schema?: unknown;
  url?: string | undefined;
  /** A token that was made before, to speak for this question. */
  elicitationId?: string | undefined;
  reason?: string | undefined;
  audience?: Audience | undefined;
  requester: Requester;
  session?: string | undefined;
  /** The caller's own name for the tool call; the same name joins while that call is not settled. */
  call?: string | undefined;
  step: string;
  /** The attempt that holds the call's one execution gives it back by asking again. */
  attempt?: string | undefined;
  ttl?: number | undefined;
  supersede?: 'session' | 'call' | 'none' | undefined;
}

/**
 * Asks a question, or joins the equal one this call asked before.
 * Of any number racing under one call name, one opens it and the others join. Problem `idempotency-mismatch` where
 * the name and step are taken by a different question.
 */
export async function openElicitation(engine: Engine, server: ServerCaller, request: OpenRequest): Promise<OpenedView> {
  const verdict = judge({
    ...request,
    annotations: request.tool.annotations,
    audience: request.audience,
    ttl: request.ttl,
  });
  const checked = checkQuestion(request, verdict.audience);
  const binding = await readBinding(engine, server.id, request, verdict.audience);
  const name = nameCall(engine, server, request);
  // Under one key the insert itself finds the earlier call; after a rotation its name may be hashed under an older one.
  let joined = engine.ring.kids.length > 1 || binding?.boundTo ? await joinCall(engine, name) : null;
  refuseOtherQuestion(binding, joined?.row?.id);
  for (;;) {
    if (joined && request.attempt) await releaseToolCall(engine, server.id, joined.call, request.attempt);
    if (joined?.row) return join(engine, joined.row, binding);
    const opening = prepare(engine, server, request, { checked, verdict, name, call: joined?.call ?? null });
    if (await engine.transactor.open(opening)) return finish(engine, server, request, opening, binding);
    joined = await joinCall(engine, name);
  }
}

/** `code` only where the requester is sent to a hosted page that asks for it. */
export type OpenedView = ElicitationView & { joined: boolean; code?: string };

async function join(engine: Engine, row: ElicitationRow, binding: Binding | null): Promise<OpenedView> {
  if (binding) await bindToken(engine, binding, row.id);
  return { ...viewElicitation(engine, row), ...codeFor(engine, row, binding), joined: true };
}

function codeFor(engine: Engine, row: ElicitationRow, binding: Binding | null): { code?: string } {
  if (row.mode !== 'url' || row.status !== 'open' || row.audience !== 'requester') return {};
  const isHosted = binding?.purpose === 'page' || openQuestion(engine.ring, row).url === null;
  return isHosted ? hostedPageCode(engine, row) : {};
}

async function finish(
  engine: Engine,
  server: ServerCaller,
  request: OpenRequest,
  { elicitation }: Opening,
  binding: Binding | null,
): Promise<OpenedView> {
  if (binding) await bindToken(engine, binding, elicitation.id).catch((error) => withdraw(engine, elicitation, error));
  const rule = request.supersede ?? (elicitation.audience === 'requester' ? 'session' : 'none');
  const superseded = await supersedeOlder(engine, elicitation, rule, request.session);
  const row = superseded ?? { ...elicitation, serverName: server.name, answer: null };
  return { ...viewElicitation(engine, row), ...codeFor(engine, row, binding), joined: false };
}

/** The token went to a question that was asked in the same moment: this one is not left to people. */
async function withdraw(engine: Engine, { id, serverId }: Opening['elicitation'], error: unknown): Promise<never> {
  await cancelElicitation(engine, { id: serverId }, id, 'superseded');
  throw error;
}

interface Preparation {
  checked: CheckedQuestion;
  verdict: Verdict;
  name: CallName;
  call: ToolCallId | null;
}

function prepare(engine: Engine, server: ServerCaller, request: OpenRequest, preparation: Preparation): Opening {
  const { checked, verdict, name } = preparation;
  const now = engine.now();
  const id = newId('elicitation');
  const toolCallId = preparation.call ?? newId('toolCall');
  const isLocal = verdict.audience === 'requester' && isLoopback(engine.publicUrl());
  const question = questionOf(request, checked, isLocal ? newOneTimeCode() : null);
  const digest = digestOfAction(server, request, question, { id, verdict });
  const deadlineAt = now + verdict.ttl;
  const { audience, stages, policy, risk } = verdict;
  const { state } = begin({ audience, mode: request.mode, stages, openedAt: now, deadlineAt, reminders: [] });
  const owner = { server: server.id, session: request.session ?? request.requester.subject };
  const about = { elicitation: id, digest, revision: 1, policy, from: null, to: 'open' as const };
  return {
    call: preparation.call ? null : { id: toolCallId, keyHash: name.keyHash },
    elicitation: {
      ...{ id, toolCallId, step: request.step, serverId: server.id, tool: request.tool.name },
      ...{
        audience,
        mode: request.mode,
        risk,
        status: 'open',
        cause: null,
        caller: 'waiting',
        revision: 1,
        version: 0,
      },
      ...{ state, openedAt: now, deadlineAt, closedAt: null, requestHash: name.requestHash, digest, policy },
      sessionHash: request.session ? lookupHash(engine.ring, 'session', server.id, request.session) : null,
      ...sealQuestion(engine.ring, id, owner, question),
    },
    entry: auditEntry(
      newId('entry'),
      now,
      { kind: 'server', id: server.id },
      { type: 'elicitation.opened', toolCall: toolCallId, server: server.id, deadlineAt, ...about },
    ),
  };
}

function nameCall({ ring }: Engine, server: ServerCaller, request: OpenRequest): CallName {
  const parts = [server.id, request.requester.subject, request.call ?? randomSecret()];
  const asked = whatIsAsked(request);
  return {
    ...{ server: server.id, step: request.step, parts, request: asked },
    keyHash: lookupHash(ring, 'idempotency', ...parts),
    requestHash: lookupHash(ring, 'idempotency', asked),
  };
}

/** What a retry must repeat to be the same question. How a model explains itself may change from one to the next. */
function whatIsAsked({ tool, arguments: args, message, mode, schema, url, elicitationId }: OpenRequest): string {
  // A retry brings a token of its own, also within its address.
  const address = elicitationId === undefined ? url : url?.replaceAll(elicitationId, '{token}');
  const rest = { schema: schema ?? null, url: address ?? null };
  return canonicalJson({ tool: tool.name, arguments: args, message, mode, ...rest });
}

const questionOf = (
  { tool, ...request }: OpenRequest,
  { schema, url }: CheckedQuestion,
  code: string | null,
): Question => ({
  ...{ message: request.message, schema, url, reason: request.reason ?? null, requester: request.requester },
  arguments: canonicalJson(request.arguments),
  tool: {
    title: tool.title ?? null,
    description: tool.description ?? null,
    annotations: tool.annotations ?? null,
    schemaDigest: tool.schemaDigest ?? null,
  },
  nonce: randomSecret(),
  code,
});

function digestOfAction(
  server: ServerCaller,
  request: OpenRequest,
  question: Question,
  { id, verdict }: { id: string; verdict: Verdict },
): string {
  return actionDigest({
    ...{ server: server.id, tool: request.tool.name, toolSchema: question.tool.schemaDigest },
    arguments: sha256(question.arguments).toString('hex'),
    ...{ message: question.message, mode: request.mode, schema: question.schema, url: question.url },
    ...{ requester: request.requester.subject, audience: verdict.audience, policy: verdict.policy, revision: 1 },
    ...{ elicitation: id, nonce: question.nonce },
  });
}
