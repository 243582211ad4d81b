import type { Requester, ServerCaller } from '#people/directory/contract/user';
import type { Engine } from '#platform/nodes/verbs/engine';
import { refuseToken } from '#access/tokens/verbs/read-token';
import type { OpenRequest } from '#policies/deciding/verbs/open';
import { everyAccount } from '#people/accounts/contract';
import type { UserId } from '#platform/model/id';
import { ownServer } from '#platform/model/names';
import { isTrial } from '#policies/contract/policy';
import { usersOf, type Ballot } from '../../voting/contract/stages.ts';
import { usersOfRequester, type Asker, type Directory } from '#policies/document/rules/directory';
import type { ElicitationRow } from '../../state/store/row.ts';
import { openQuestion } from './question.ts';

/** The request without its token, with the issuer who verified its requester; a token of anyone else is refused. */
export async function checkRequester(
  engine: Pick<Engine, 'readToken'>,
  server: ServerCaller,
  { accessToken, ...request }: OpenRequest & { accessToken?: string | undefined },
): Promise<OpenRequest> {
  return { ...request, requester: await verifyRequester(engine, server, request.requester, accessToken) };
}

/** The requester, with the issuer whose token verified them. Throws `unauthorized` if the token belongs to someone else. */
export async function verifyRequester(
  { readToken }: Pick<Engine, 'readToken'>,
  { name }: ServerCaller,
  requester: Requester,
  accessToken: string | undefined,
): Promise<Requester> {
  if (accessToken === undefined || !requester.verified) return requester;
  const bearer = await readToken(name, accessToken);
  if (!bearer) return requester;
  const isTheirs = bearer.subject === requester.subject && (requester.issuer ?? bearer.issuer) === bearer.issuer;
  if (!isTheirs) throw refuseToken();
  return { ...requester, verifiedBy: bearer.issuer };
}

/**
 * Ids of the people who are the requester by the current directory, and of the maker of the key unless this is a
 * trial. A stage excludes those who were known when it started; other names may become known later.
 */
export function requestersOf(
  { ring, environment }: Pick<Engine, 'ring' | 'environment'>,
  row: ElicitationRow,
  { directory }: { directory: Directory },
): ReadonlySet<string> {
  const { requester, keyMaker } = openQuestion(ring, row);
  const names = usersKnownAs(directory, requester);
  const maker = countedMaker(keyMaker, row.serverName, environment);
  return maker === undefined ? names : new Set([...names, ...everyAccount(directory.accounts, [maker])]);
}

/**
 * The maker of the key if they count as a requester here. In a trial they do not, so that one person can try everything
 * alone. The question keeps them all the same: in production they count at once. A change of power always counts for
 * its asker.
 */
export const countedMaker = (
  keyMaker: string | undefined,
  server: string,
  environment: string | undefined,
): string | undefined => (isTrial(environment) && server !== ownServer.name ? undefined : keyMaker);

/** For the log: the maker of the key if this ballot counts for them too, which happens only in a trial. */
export function makerAmong(
  { ring }: Pick<Engine, 'ring'>,
  row: ElicitationRow,
  ballot: Pick<Ballot, 'by' | 'for' | 'issuer'>,
): { keyMaker?: UserId } {
  const { keyMaker } = openQuestion(ring, row);
  return keyMaker !== undefined && usersOf(ballot).includes(keyMaker) ? { keyMaker: keyMaker as UserId } : {};
}

/** Ids of everyone who is or may be this requester, of each account that they have. */
export const usersKnownAs = (directory: Directory, requester: Asker): ReadonlySet<string> => {
  const users = usersOfRequester(directory, requester).map(({ id }) => id);
  return new Set(everyAccount(directory.accounts, users));
};
