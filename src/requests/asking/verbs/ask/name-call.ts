import { canonicalJson } from '#platform/crypto/digest';
import { lookupHash, lookupHashes } from '#platform/crypto/key-ring';
import type { KeyRing } from '#platform/crypto/key-ring';
import { idFrom, randomSecret } from '#platform/crypto/random';
import { identityKey } from '#platform/model/identity';
import type { ServerCaller } from '#people/directory/contract/user';
import { runDigest } from '../question/question-digest.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import type { CallName, OpeningIds } from '../prepare/join-call.ts';
import type { OpenRequest } from '#policies/deciding/verbs/open';

/** How this call will be found again: by keyed hashes, which tell a reader of the database nothing. */
export function nameCall({ ring }: Engine, server: ServerCaller, request: OpenRequest): CallName {
  const parts = [server.id, identityKey(request.requester), request.call ?? randomSecret()];
  const content = whatIsAsked(request);
  const { title, description } = request.tool;
  return {
    server: server.id,
    step: request.step,
    parts,
    request: content,
    undescribed: { title, description, content: whatIsAsked(withoutDescription(request)) },
    atAddress: request.url === undefined ? null : (url) => whatIsAsked({ ...request, url, elicitationId: undefined }),
    keyHash: lookupHash(ring, 'idempotency', ...parts),
    requestHash: lookupHash(ring, 'idempotency', content),
    hasName: request.call !== undefined,
    openings: openingIds(ring, server, request),
    equalParts: ['equal', server.id, content, whatIsJudged(request)],
  };
}

/** The same key of another requester, call or step is another key. */
function openingIds(ring: KeyRing, server: ServerCaller, request: OpenRequest): OpeningIds[] {
  const { idempotencyKey, requester, call, step } = request;
  if (idempotencyKey === undefined) return [];
  const parts = ['opening', server.id, identityKey(requester), call ?? '', step, idempotencyKey];
  return lookupHashes(ring, 'idempotency', ...parts).map((hash) => ({
    id: idFrom('elicitation', hash.subarray(0, 16)),
    call: idFrom('toolCall', hash.subarray(16)),
  }));
}

const withoutDescription = ({
  tool: { title: _title, description: _description, ...tool },
  ...request
}: OpenRequest) => ({
  ...request,
  tool,
});

/**
 * What a retry must repeat to be the same question: the run and the message. The model's reason may change.
 */
function whatIsAsked({ tool, requester, message, mode, schema, url, elicitationId, ...request }: OpenRequest): string {
  const { name, title, description, reaches, schemaDigest = null, annotations = null } = tool;
  const run = runDigest({
    tool: name,
    title,
    description,
    reaches,
    schemaDigest,
    annotations,
    arguments: request.arguments,
    requester,
  });
  // A retry brings a token of its own, also within its address.
  const address = elicitationId === undefined ? url : url?.replaceAll(elicitationId, '{token}');
  const { completedBy = null, state } = request;
  const plain = state === false && { state };
  return canonicalJson({ run, message, mode, schema: schema ?? null, url: address ?? null, completedBy, ...plain });
}

/**
 * What else people see and policies judge: the tool's title, who verified the requester, the key facts, the audience, the start, and whether edits
 * are accepted.
 */
function whatIsJudged({ tool, requester, facts, audience, notBefore, takesEdits = false }: OpenRequest): string {
  const { title, description } = tool;
  const { verifiedBy } = requester;
  const judged = { title, description, verifiedBy, facts, audience, notBefore, takesEdits };
  return canonicalJson(JSON.parse(JSON.stringify(judged)));
}
