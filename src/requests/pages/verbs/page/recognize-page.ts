import { isSame } from '#platform/model/identity';
import type { Requester } from '#people/directory/contract/user';
import { openQuestion } from '../../../asking/verbs/question/sealed-question.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { isOpen, openedByToken } from '../callback/elicitation-by-token.ts';
import { requesterProof } from '../proof/requester-proof.ts';

/**
 * Is this address, letter by letter, a page of this installation that is open for this requester? Only then is it in front
 * of its outside address already. False for every other address, whatever is wrong with it.
 */
export async function isOwnPage(
  engine: Engine,
  { url, requester }: { url: string; requester: Requester },
): Promise<boolean> {
  const [purpose, token] = readAddress(engine.publicUrl(), url);
  if (token === undefined) return false;
  const row = await openedByToken(engine, token, purpose);
  if (!row || !isOpen(engine, row)) return false;
  const question = openQuestion(engine.ring, row);
  if (requesterProof(engine.publicUrl(), question).way === 'closed') return false;
  return isSameRequester(question.requester, requester);
}

/** What follows is a token or nothing that opens: a query, or a second host, is no part of one. */
function readAddress(publicUrl: string, url: string): ['page' | 'connect', string | undefined] {
  const [page, connect] = [`${publicUrl}/e/`, `${publicUrl}/go/`];
  if (url.startsWith(page)) return ['page', url.slice(page.length)];
  return ['connect', url.startsWith(connect) ? url.slice(connect.length) : undefined];
}

/**
 * Verified ones by issuer and subject. Of others no one knows more than the client's name: on one's own machine, where
 * alone their pages open, the gateway names them by the system's user and a server by their client.
 */
function isSameRequester(first: Requester, other: Requester): boolean {
  if (first.verified !== other.verified) return false;
  if (isSame(first, other)) return true;
  return !first.verified && first.client !== undefined && isSameClient(first.client, other.client);
}

type Client = NonNullable<Requester['client']>;

const isSameClient = (first: Client, other: Client | undefined): boolean =>
  first.name === other?.name && first.version === other.version;
