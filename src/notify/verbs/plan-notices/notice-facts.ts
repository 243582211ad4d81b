import { Problem } from '#platform/model/problem/problem';
import type { UserId } from '#platform/model/id';
import type { User } from '#people/directory/contract/user';
import { isAdministrator } from '#people/directory/contract/permission';
import { userOfRequester, type Directory } from '#policies/document/rules/directory/directory';
import type { ElicitationRow } from '#requests/state/store/row/row';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { policyTerms } from '#requests/state/verbs/permissions/policy-terms';
import { requestersOf } from '#requests/asking/verbs/requester/requesters';
import { openQuestion } from '#requests/asking/verbs/question/sealed-question';
import type { NoticeFacts } from './plan-notices.ts';

/**
 * What decides who is notified of the request, as of now; null for a request that was erased or is sealed under a missing
 * key: it is told to no one and holds up no other.
 */
export function noticeFacts(
  engine: Pick<Engine, 'ring' | 'environment'>,
  directory: Directory,
  row: ElicitationRow,
): NoticeFacts | null {
  try {
    const requesters = requestersOf(engine, row, { directory });
    const { requester } = openQuestion(engine.ring, row);
    return {
      row,
      notify: policyTerms(engine, row).notify,
      ...recipientsIn(directory),
      requesters,
      requester: userOfRequester(directory, requester)?.id ?? null,
      owner: directory.servers.find(({ name }) => name === row.serverName)?.ownerId ?? null,
    };
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

type Recipients = Pick<NoticeFacts, 'people' | 'administrators'>;
const cachedRecipients = new WeakMap<Directory, Recipients>();

/** Every request asks for them, and people seldom change. */
function recipientsIn(directory: Directory): Recipients {
  const recipients = cachedRecipients.get(directory) ?? readRecipients(peopleIn(directory));
  cachedRecipients.set(directory, recipients);
  return recipients;
}

const readRecipients = (people: readonly User[]): Recipients => ({
  people: new Map(people.map((user) => [user.id, user])),
  administrators: people.filter(isAdministrator).map(({ id }) => id),
});

/** Everyone who can be notified. */
export const peopleIn = ({ users }: Directory): User[] =>
  users.map(({ id, email, name, role, permissions }) => ({
    kind: 'user',
    id: id as UserId,
    email,
    name,
    role,
    permissions,
  }));
