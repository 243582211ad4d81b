import { builtInName } from '#policies/document/rules/verdict';
import type { SearchTerms } from '../../store/inbox/page.ts';
import type { DirectoryRecord } from '#people/directory/store/directory-record';

/** The names there are, of which a search may mean some. */
interface Names {
  tools: string[];
  policies: string[];
}

type People = Pick<DirectoryRecord, 'users' | 'servers'>;

/** What a text means: every name that has it as a part, in either case, and the request of this id. */
export function readSearch(text: string, { tools, policies }: Names, { users, servers }: People): SearchTerms {
  const sought = text.trim().toLowerCase();
  const isMeant = (name: string): boolean => name.toLowerCase().includes(sought);
  return {
    ids: [text.trim()],
    servers: servers.filter(({ name }) => isMeant(name)).map(({ id }) => id),
    tools: tools.filter(isMeant),
    policies: [...policies, builtInName].filter(isMeant),
    users: users.filter(({ name, email }) => isMeant(name) || isMeant(email)).map(({ id }) => id),
  };
}
