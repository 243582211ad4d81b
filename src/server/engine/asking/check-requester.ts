import type { ServerCaller } from '#protocol/model/user';
import type { Engine } from '../engine.ts';
import { refuseToken } from '../read-token.ts';
import type { OpenRequest } from '../judging/open-request.ts';

/** The request without its token, with the issuer who verified its requester; a token of anyone else is refused. */
export async function checkRequester(
  { readToken }: Pick<Engine, 'readToken'>,
  { name }: ServerCaller,
  { accessToken, ...request }: OpenRequest & { accessToken?: string | undefined },
): Promise<OpenRequest> {
  const { requester } = request;
  if (accessToken === undefined || !requester.verified) return request;
  const bearer = await readToken(name, accessToken);
  if (!bearer) return request;
  const isTheirs = bearer.subject === requester.subject && (requester.issuer ?? bearer.issuer) === bearer.issuer;
  if (!isTheirs) throw refuseToken();
  return { ...request, requester: { ...requester, verifiedBy: bearer.issuer } };
}
