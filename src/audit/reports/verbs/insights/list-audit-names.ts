import type { User } from '#people/directory/contract/user';
import { serversOf, spacesOf } from '#policies/deciding/verbs/rules/assert-may';
import type { Engine } from '#platform/nodes/verbs/engine/engine';

/** The names that questions and searches can be narrowed by, for administrators and reviewers; those of a space get its own. */
export async function listAuditNames(
  { inbox, askedNames, directory }: Pick<Engine, 'inbox' | 'askedNames' | 'directory'>,
  user: User,
) {
  const record = await directory.read();
  const servers = serversOf(record, user, 'read-log');
  if (servers === null) {
    const [facets, clients] = await Promise.all([inbox.facets(), askedNames.clients()]);
    return { ...facets, clients };
  }
  const facets = await inbox.facets({ servers, spaces: [...spacesOf(record, user.id, 'read-log')] });
  return { ...facets, clients: [] };
}
