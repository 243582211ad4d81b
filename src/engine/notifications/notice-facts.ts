import { Problem } from '../../model/problem.ts';
import type { UserId } from '../../model/id.ts';
import type { User } from '../../model/user.ts';
import { isAdministrator } from '../../model/permission.ts';
import { userOfRequester, type Directory } from '../../policy/terms/directory.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import type { Engine } from '../engine.ts';
import { policyTerms } from '../elicitation/policy-terms.ts';
import { requestersOf } from '../elicitation/requesters.ts';
import { openQuestion } from '../elicitation/sealed-question.ts';
import type { NoticeFacts } from './plan-notices.ts';

/**
 * What decides who hears of the request, as of now; null for a request that was erased or is sealed under a missing
 * key: it is told to no one and holds up no other.
 */
export async function noticeFacts(
  engine: Pick<Engine, 'ring' | 'rules' | 'environment'>,
  row: ElicitationRow,
): Promise<NoticeFacts | null> {
  const { directory } = await engine.rules.users();
  try {
    const requesters = requestersOf(engine, row, { directory });
    const { requester } = openQuestion(engine.ring, row);
    return {
      row,
      notify: policyTerms(engine, row).notify,
      people: peopleById(directory),
      administrators: directory.users.filter(isAdministrator).map(({ id }) => id),
      requesters,
      requester: userOfRequester(directory, requester)?.id ?? null,
      owner: directory.servers.find(({ name }) => name === row.serverName)?.ownerId ?? null,
    };
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

const byId = new WeakMap<Directory, ReadonlyMap<string, User>>();

/** Every request asks for them, and people seldom change. */
function peopleById(directory: Directory): ReadonlyMap<string, User> {
  const people = byId.get(directory) ?? new Map(peopleIn(directory).map((user) => [user.id as string, user]));
  byId.set(directory, people);
  return people;
}

/** Everyone who can be told. */
export const peopleIn = ({ users }: Directory): User[] =>
  users.map(({ id, email, name, role, permissions }) => ({
    kind: 'user',
    id: id as UserId,
    email,
    name,
    role,
    permissions,
  }));
