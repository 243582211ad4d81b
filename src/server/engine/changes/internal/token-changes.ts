import type { UserId } from '#protocol/model/id';
import type { TokenPermission } from '#protocol/model/permission';
import { createToken, type NewAdminToken } from '../../users/admin-tokens.ts';
import { changeKind } from './change-kind.ts';
import { namedOrNone, type NamedUser } from './named.ts';

interface TokenFacts {
  token: {
    kid: string;
    hash: string;
    name: string;
    permissions: readonly TokenPermission[];
    networks: readonly string[];
    expires: string;
  };
  /** Who issued the credential of the one who asks; they can accept nothing that the token asks for. */
  credentialFrom: NamedUser | null;
}

/** A token by which a program administers. Who asked for it has seen it; it opens nothing before. */
export const creatingToken = changeKind({
  title: 'Create an administrative token',
  act: createToken,
  facts: (directory, { issuerId, expiresAt, ...token }: NewAdminToken): TokenFacts => ({
    token: { ...token, expires: new Date(expiresAt).toISOString() },
    credentialFrom: namedOrNone(directory, issuerId),
  }),
  changeIn: ({ token: { expires, ...token }, credentialFrom }) => ({
    ...token,
    expiresAt: Date.parse(expires),
    issuerId: (credentialFrom?.id ?? null) as UserId | null,
  }),
  say: ({ token: { kid, name, permissions, networks, expires } }) =>
    `Create the administrative token ${name} (${kid}): a program may ${permissions.join(', ')} with it${
      networks.length > 0 ? ` from ${networks.join(', ')}` : ''
    } until ${expires}. What needs a second administrator still does.`,
});
