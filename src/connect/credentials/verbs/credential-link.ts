import { hashSecret } from '#platform/crypto/random/one-time-secret';
import { mintToken, openToken } from '#access/tokens/rules';
import type { ServerId } from '#platform/model/id';
import type { Identity } from '#platform/model/identity';
import { Problem } from '#platform/model/problem/problem';
import type { Engine } from '#platform/nodes/verbs/engine/engine';

/** Where a person enters their credentials for a server. */
export interface CredentialLink {
  url: string;
  expiresAt: number;
}

/** What a link says: it is good for this server and this person, once. */
export interface LinkedPerson {
  server: { id: ServerId; name: string };
  person: Required<Identity>;
  nonceHash: Buffer;
}

type LinkEngine = Pick<Engine, 'tokens' | 'ring' | 'now' | 'publicUrl'>;

/** Milliseconds. */
const linkLasts = 10 * 60_000;

/** A new link for this person. Storing credentials uses it up; opening it does not. */
export async function makeLink(
  { tokens, ring, now, publicUrl }: LinkEngine,
  { id: serverId, name }: LinkedPerson['server'],
  { issuer, subject }: Identity,
): Promise<CredentialLink> {
  const expiresAt = now() + linkLasts;
  const session = JSON.stringify([issuer, subject, name]);
  const token = mintToken(ring, { session, elicitation: null, purpose: 'credential', expiresAt });
  const { nonce } = openToken(ring, token, 'credential', now());
  await tokens.add({ nonceHash: hashSecret(nonce), serverId, expiresAt });
  return { url: `${publicUrl()}/credentials/${token}`, expiresAt };
}

/** Reads a link that was not used yet. Any other text is `token-invalid`, without a reason. */
export async function openLink(
  { tokens, ring, now }: Omit<LinkEngine, 'publicUrl'>,
  token: string,
): Promise<LinkedPerson> {
  const { nonce, session } = openToken(ring, token, 'credential', now());
  const nonceHash = hashSecret(nonce);
  const stored = await tokens.find(nonceHash);
  if (!stored) throw new Problem('token-invalid');
  const [issuer, subject, name] = JSON.parse(session) as [string, string, string];
  return { server: { id: stored.serverId, name }, person: { issuer, subject }, nonceHash };
}
