import { auditEntry } from '../audit/entry.ts';
import { actionDigest } from '../crypto/action-digest.ts';
import { canonicalJson } from '../crypto/canonical-json.ts';
import { sha256 } from '../crypto/digest.ts';
import { lookupHash } from '../crypto/lookup-hash.ts';
import { newId, randomSecret } from '../crypto/random.ts';
import { begin } from '../machine/step.ts';
import type { Audience, Mode } from '../model/elicitation.ts';
import type { ToolCallId } from '../model/id.ts';
import type { Requester, ServerCaller } from '../model/person.ts';
import { judge, type Verdict } from '../policy/built-in-policy.ts';
import type { Opening } from '../store/transactor.ts';
import { checkQuestion, type CheckedQuestion } from './check-question.ts';
import { viewElicitation, type ElicitationView } from './elicitation-view.ts';
import type { Engine } from './engine.ts';
import { joinCall, type CallName } from './join-call.ts';
import { sealQuestion, type Question } from './sealed-question.ts';
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
export async function openElicitation(
  engine: Engine,
  server: ServerCaller,
  request: OpenRequest,
): Promise<ElicitationView & { joined: boolean }> {
  const checked = checkQuestion(request.mode, request.schema, request.url);
  const verdict = judge({
    ...request,
    annotations: request.tool.annotations,
    audience: request.audience,
    ttl: request.ttl,
  });
  const name = nameCall(engine, server, request);
  // Under one key the insert itself finds the earlier call; after a rotation its name may be hashed under an older one.
  let joined = engine.ring.kids.length > 1 ? await joinCall(engine, name) : null;
  for (;;) {
    if (joined && request.attempt) await releaseToolCall(engine, server.id, joined.call, request.attempt);
    if (joined?.row) return { ...viewElicitation(engine, joined.row), joined: true };
    const opening = prepare(engine, server, request, { checked, verdict, name, call: joined?.call ?? null });
    if (await engine.transactor.open(opening)) return finish(engine, server, request, opening);
    joined = await joinCall(engine, name);
  }
}

async function finish(engine: Engine, server: ServerCaller, request: OpenRequest, { elicitation }: Opening) {
  const rule = request.supersede ?? (elicitation.audience === 'requester' ? 'session' : 'none');
  const superseded = await supersedeOlder(engine, elicitation, rule, request.session);
  const row = superseded ?? { ...elicitation, serverName: server.name, answer: null };
  return { ...viewElicitation(engine, row), joined: false };
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
  const question = questionOf(request, checked);
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
function whatIsAsked({ tool, arguments: args, message, mode, schema, url }: OpenRequest): string {
  return canonicalJson({ tool: tool.name, arguments: args, message, mode, schema: schema ?? null, url: url ?? null });
}

const questionOf = ({ tool, ...request }: OpenRequest, { schema, url }: CheckedQuestion): Question => ({
  ...{ message: request.message, schema, url, reason: request.reason ?? null, requester: request.requester },
  arguments: canonicalJson(request.arguments),
  tool: {
    title: tool.title ?? null,
    description: tool.description ?? null,
    annotations: tool.annotations ?? null,
    schemaDigest: tool.schemaDigest ?? null,
  },
  nonce: randomSecret(),
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
