import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** An identity provider of others' making, with its own pages: people say who they are. */
export interface RealProvider {
  issuer: string;
  close(): Promise<void>;
}

export const client = { clientId: 'assentry', clientSecret: 'a-secret-of-enough-characters-for-tests' };

/** Cookies ignore ports: it is on `localhost`, so that it is another site than Assentry on 127.0.0.1. */
export async function startRealProvider(): Promise<RealProvider & { serve(consoleUrl: string): void }> {
  const http = createServer().listen(0, '127.0.0.1');
  await once(http, 'listening');
  const issuer = `http://localhost:${(http.address() as AddressInfo).port}`;
  return {
    issuer,
    serve(consoleUrl) {
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: client.clientId,
            client_secret: client.clientSecret,
            redirect_uris: [`${consoleUrl}/api/sign-in/acme/callback`],
            post_logout_redirect_uris: [`${consoleUrl}/signin`],
            backchannel_logout_uri: `${consoleUrl}/api/sign-in/acme/back-channel-logout`,
            backchannel_logout_session_required: true,
          },
        ],
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
        scopes: ['openid', 'email', 'profile'],
        pkce: { required: () => true },
        features: { devInteractions: { enabled: true }, backchannelLogout: { enabled: true } },
        cookies: { keys: ['only-for-tests'] },
        ttl: { Session: 3600, Interaction: 600, Grant: 3600, AccessToken: 60, IdToken: 60 },
        findAccount: (_, sub) => ({
          accountId: sub,
          claims: async () => ({ sub, email: `${sub}@example.com`, email_verified: true, name: `${sub} of Acme` }),
        }),
      });
      http.on('request', provider.callback());
    },
    async close() {
      http.close().closeAllConnections();
    },
  };
}
