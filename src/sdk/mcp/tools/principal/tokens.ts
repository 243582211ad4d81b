import type { AssentryClient, MintedToken, MintToken } from '../../../client/client.ts';
import { keepSecret } from '../../question/callback-secrets.ts';

export interface TokenOptions {
  /** Milliseconds until the question must be asked; 300 000 by default. The callback lives as long as the question. */
  ttl?: number;
  /** `callback`, the default, for an outside service; `page` for our hosted page. */
  purpose?: MintToken['purpose'];
}

/** Makes a token for the question that is asked next in this session. */
export async function makeToken(
  client: AssentryClient,
  session: string,
  { ttl, purpose }: TokenOptions = {},
): Promise<MintedToken> {
  const options = { ...(ttl !== undefined && { ttl }), ...(purpose !== undefined && { purpose }) };
  const minted = await client.mintToken({ session, ...options });
  keepSecret(client, minted.callbackUrl);
  return minted;
}
