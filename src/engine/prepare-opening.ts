import { auditEntry } from '../audit/entry.ts';
import { actionDigest } from '../crypto/action-digest.ts';
import { canonicalJson } from '../crypto/canonical-json.ts';
import { sha256 } from '../crypto/digest.ts';
import { lookupHash } from '../crypto/lookup-hash.ts';
import { newOneTimeCode } from '../crypto/one-time-secret.ts';
import { newId, randomSecret } from '../crypto/random.ts';
import { begin } from '../machine/step.ts';
import type { ToolCallId } from '../model/id.ts';
import type { ServerCaller } from '../model/person.ts';
import type { Verdict } from '../policy/built-in-policy.ts';
import type { Opening } from '../store/transactor.ts';
import type { CheckedQuestion } from './check-question.ts';
import type { Engine } from './engine.ts';
import type { CallName } from './join-call.ts';
import { isLoopback } from './loopback.ts';
import type { OpenRequest } from './open-request.ts';
import { sealQuestion, type Question } from './sealed-question.ts';

export interface Preparation {
  checked: CheckedQuestion;
  verdict: Verdict;
  name: CallName;
  call: ToolCallId | null;
}

/** The rows a new question becomes: bound by its digest, sealed, in its first state, with its audit entry. */
export function prepareOpening(
  engine: Engine,
  server: ServerCaller,
  request: OpenRequest,
  preparation: Preparation,
): Opening {
  const { checked, verdict, name } = preparation;
  const now = engine.now();
  const id = newId('elicitation');
  const toolCallId = preparation.call ?? newId('toolCall');
  const isLocal = verdict.audience === 'requester' && isLoopback(engine.publicUrl());
  const question = questionOf(request, checked, isLocal ? newOneTimeCode() : null);
  const digest = digestOfAction(server, request, question, { id, verdict });
  const deadlineAt = now + verdict.ttl;
  const { audience, stages, policy, risk } = verdict;
  const { state } = begin({
    audience,
    mode: request.mode,
    stages,
    openedAt: now,
    deadlineAt,
    onTimeout: 'expire',
    notBefore: null,
    reminders: [],
  });
  const owner = { server: server.id, session: request.session ?? request.requester.subject };
  const about = { elicitation: id, digest, revision: 1, policy, from: null, to: 'open' as const };
  return {
    call: preparation.call ? null : { id: toolCallId, keyHash: name.keyHash },
    elicitation: {
      id,
      toolCallId,
      step: request.step,
      serverId: server.id,
      tool: request.tool.name,
      audience,
      mode: request.mode,
      risk,
      status: 'open',
      cause: null,
      caller: 'waiting',
      revision: 1,
      version: 0,
      state,
      openedAt: now,
      deadlineAt,
      closedAt: null,
      requestHash: name.requestHash,
      digest,
      policy,
      explanation: null,
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

const questionOf = (
  { tool, ...request }: OpenRequest,
  { schema, url }: CheckedQuestion,
  code: string | null,
): Question => ({
  message: request.message,
  schema,
  url,
  reason: request.reason ?? null,
  requester: request.requester,
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
    server: server.id,
    tool: request.tool.name,
    toolSchema: question.tool.schemaDigest,
    arguments: sha256(question.arguments).toString('hex'),
    message: question.message,
    mode: request.mode,
    schema: question.schema,
    url: question.url,
    requester: request.requester.subject,
    audience: verdict.audience,
    policy: verdict.policy,
    revision: 1,
    elicitation: id,
    nonce: question.nonce,
  });
}
