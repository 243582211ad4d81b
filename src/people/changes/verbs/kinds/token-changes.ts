import type { UserId } from '#platform/model/id';
import { createToken, type NewAdminToken } from '#access/tokens/verbs/admin-tokens';
import { changeKind } from './change-kind.ts';
import { namedOrNone } from './named.ts';

/** A token by which a program administers. Who asked for it has seen it; it opens nothing before. */
export const creatingToken = changeKind({
  title: 'Create an administrative token',
  act: createToken,
  facts: (directory, { issuerId, expiresAt, ...token }: NewAdminToken) => ({
    token: { ...token, expires: new Date(expiresAt).toISOString() },
    // They can accept nothing that the token asks for.
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
