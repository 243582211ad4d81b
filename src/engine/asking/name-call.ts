import { canonicalJson } from '../../crypto/canonical-json.ts';
import { lookupHash } from '../../crypto/lookup-hash.ts';
import { randomSecret } from '../../crypto/random.ts';
import { identityKey } from '../../model/identity.ts';
import type { ServerCaller } from '../../model/user.ts';
import type { Engine } from '../engine.ts';
import type { CallName } from './join-call.ts';
import type { OpenRequest } from '../judging/open-request.ts';

/** How this call will be found again: by keyed hashes, whoever reads the database. */
export function nameCall({ ring }: Engine, server: ServerCaller, request: OpenRequest): CallName {
  const parts = [server.id, identityKey(request.requester), request.call ?? randomSecret()];
  const asked = whatIsAsked(request);
  return {
    server: server.id,
    step: request.step,
    parts,
    request: asked,
    keyHash: lookupHash(ring, 'idempotency', ...parts),
    requestHash: lookupHash(ring, 'idempotency', asked),
    hasName: request.call !== undefined,
    equalParts: ['equal', server.id, asked, whatIsJudged(request)],
  };
}

/** What a retry must repeat to be the same question. How a model explains itself may change from one to the next. */
function whatIsAsked({ tool, arguments: args, message, mode, schema, url, elicitationId }: OpenRequest): string {
  // A retry brings a token of its own, also within its address.
  const address = elicitationId === undefined ? url : url?.replaceAll(elicitationId, '{token}');
  const rest = { schema: schema ?? null, url: address ?? null };
  return canonicalJson({ tool: tool.name, arguments: args, message, mode, ...rest });
}

/** What else people are shown and policies judge: for whom, by which agent, what the tool says of itself, and when. */
function whatIsJudged({ requester, tool, audience, notBefore }: OpenRequest): string {
  const { name: _, ...told } = tool;
  return canonicalJson(JSON.parse(JSON.stringify({ requester, tool: told, audience, notBefore })));
}
