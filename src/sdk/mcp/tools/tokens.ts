import type { AssentryClient, MintedToken, MintToken } from '../../client/client.ts';

export interface TokenOptions {
  /** Milliseconds; 300 000 by default. */
  ttl?: number;
  /** `callback`, the default, for an outside service; `page` for our hosted page. */
  purpose?: MintToken['purpose'];
}

/** Makes a token for the question that is asked next in this session. */
export const makeToken = (
  client: AssentryClient,
  session: string,
  { ttl, purpose }: TokenOptions = {},
): Promise<MintedToken> =>
  client.mintToken({ session, ...(ttl !== undefined && { ttl }), ...(purpose !== undefined && { purpose }) });
