import { randomHex } from '#sdk/client/digest/hex';
import { rpcCodes, rpcError, RpcFault } from '../../frames/frame/frame.ts';

/** Where MCP has it that a person must go before a request can be served (2025-11-25). */
const urlRequired = -32042;

/** The server's answer needs credentials that only the person can enter, at an address that no model needs to read. */
export class CredentialsNeeded extends RpcFault {
  /** What they read, without the address. */
  readonly sentence: string;
  readonly url: string | null;

  constructor(sentence: string, url: string | null) {
    const message = url === null ? sentence : `${sentence} Open this address yourself: ${url}`;
    super({ code: rpcCodes.internal, message, data: { code: 'unauthenticated' } });
    this.sentence = sentence;
    this.url = url;
  }

  /** The same for a client that opens addresses for its person. */
  asElicitation(): RpcFault {
    const elicitation = { mode: 'url', elicitationId: randomHex(), url: this.url, message: this.sentence };
    return new RpcFault({ code: urlRequired, message: this.sentence, data: { elicitations: [elicitation] } });
  }
}

export const noCredentials = rpcError(
  rpcCodes.internal,
  'unavailable',
  'Try again later: the gateway got no credentials for this server. Nothing was run.',
);
