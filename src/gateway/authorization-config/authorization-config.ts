import { z } from 'zod';
import type { JwksSource, IntrospectedSource } from '#platform/bearer/tokens/token-source';
import { faultOfIssuer } from '#platform/model/identity';
import { parsed, safeAddress, secret, valueOf, type Environment, type Value } from './config-values.ts';

/** Who issues the access tokens of the gateway's clients. */
export interface GatewayAuthorization {
  source: Omit<JwksSource, 'audience'> | Omit<IntrospectedSource, 'audience'>;
  /** What a token must allow. */
  scopes: string[];
  /** Shared by all nodes, so that each can tell whose a session is; each has its own if it is absent. */
  sessionSecret: string | undefined;
  /** Assentry gets the tokens, to check them itself. */
  sendAccessToken: boolean;
}

const issuer = z.string().superRefine((value, context) => {
  const message = faultOfIssuer(value);
  if (message !== null) context.addIssue({ code: 'custom', message });
});

const common = {
  issuer,
  scopes: z.array(z.string().regex(/^[\w.:/-]+$/, 'Give each scope by itself.')).default([]),
  sessionSecret: secret.optional(),
  sendAccessToken: z.boolean().default(false),
};
const ByKeys = z.strictObject({ ...common, jwks: safeAddress });
const ByWord = z.strictObject({
  ...common,
  introspection: safeAddress,
  clientId: z.string().min(1),
  clientSecret: secret,
});

/** Reads the member `authorization`; null if there is none. */
export function readAuthorization(value: object | undefined, env: Environment): GatewayAuthorization | null {
  if (value === undefined) return null;
  const path = ['authorization'];
  const { scopes, sessionSecret, sendAccessToken, ...source } = parsed(
    'introspection' in value ? ByWord : ByKeys,
    value,
    path,
  );
  const read = (name: string, part: Value): string => valueOf(part, env, [...path, name]);
  return {
    source: 'jwks' in source ? source : { ...source, clientSecret: read('clientSecret', source.clientSecret) },
    scopes,
    sessionSecret: sessionSecret && read('sessionSecret', sessionSecret),
    sendAccessToken,
  };
}
