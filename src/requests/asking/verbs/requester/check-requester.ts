import type { Requester, ServerCaller } from '#people/directory/contract/user';
import type { Engine } from '#platform/nodes/verbs/engine';
import { refuseToken } from '#access/tokens/verbs/read-token';
import type { OpenRequest } from '#policies/deciding/verbs/open';

/** The request without its token, with the issuer who verified its requester; a token of anyone else is refused. */
export async function checkRequester(
  engine: Pick<Engine, 'readToken'>,
  server: ServerCaller,
  { accessToken, ...request }: OpenRequest & { accessToken?: string | undefined },
): Promise<OpenRequest> {
  return { ...request, requester: await verifyRequester(engine, server, request.requester, accessToken) };
}

/** The requester, with the issuer whose token verified them. Throws `unauthorized` if the token belongs to someone else. */
export async function verifyRequester(
  { readToken }: Pick<Engine, 'readToken'>,
  { name }: ServerCaller,
  requester: Requester,
  accessToken: string | undefined,
): Promise<Requester> {
  if (accessToken === undefined || !requester.verified) return requester;
  const bearer = await readToken(name, accessToken);
  if (!bearer) return requester;
  const isTheirs = bearer.subject === requester.subject && (requester.issuer ?? bearer.issuer) === bearer.issuer;
  if (!isTheirs) throw refuseToken();
  return { ...requester, verifiedBy: bearer.issuer };
}
