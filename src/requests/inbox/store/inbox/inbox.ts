import { Prisma } from '#platform/database/generated/prisma/client';
import { maxCounted } from '../../../asking/contract/elicitation.ts';
import type { ServerId, SpaceId } from '#platform/model/id';
import type { Database } from '#platform/database/database';
import { plannedEachTime } from '#platform/database/connection';
import { openSelected, selection, type SelectedElicitation } from '../../../state/store/row/selected.ts';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import { filters, isMatch, orders, termsOf, type InboxPage } from './page.ts';
import { policyNameOf } from '#audit/entries/store/entries';
import { isReadable, isVisible, views, type InboxViewer } from './viewer.ts';

/** Servers, and spaces next to what is global. */
interface FacetScope {
  servers: readonly ServerId[];
  spaces: readonly SpaceId[];
}

/** The most names of tools to choose from. */
const maxOffered = 1000;

/** `mine` are those the reader may vote on, for themselves or for someone else. */
export const createInboxReader = ({ prisma }: Pick<Database, 'prisma'>) => ({
  async page(viewer: InboxViewer, page: InboxPage): Promise<ElicitationRow[]> {
    const { by, after } = orders[page.order](page);
    const where = Prisma.sql`${views[page.view](viewer)}
        AND ${page.view === 'mine' ? Prisma.sql`true` : isVisible(viewer)} ${filters(page)} ${narrowing(viewer, page)}
        ${page.after ? after(page.after) : Prisma.empty}`;
    const terms = termsOf(page);
    const rows = await prisma.$queryRaw<SelectedElicitation[]>`
        SELECT ${plannedEachTime} ${selection} FROM elicitation e JOIN server s ON s.id = e.server_id
         WHERE ${terms ? isMatch(terms, where, by, page.limit) : where}
         ORDER BY ${by} LIMIT ${page.limit}`;
    return rows.map(openSelected);
  },
  /** Counts no further than `maxCounted`. */
  async counts(viewer: InboxViewer): Promise<{ mine: number; all: number }> {
    const [row] = await prisma.$queryRaw<{ mine: number; all: number }[]>`
        SELECT ${plannedEachTime} (${countOf(views.mine(viewer))}) AS mine,
          (${countOf(Prisma.sql`${views.all()} AND ${isVisible(viewer)}`)}) AS all`;
    return row ?? { mine: 0, all: 0 };
  },
  /**
   * The names of servers and tools that have asked, and of policies; of those servers and spaces alone if they are given. At most
   * `most` of the tools: a server can name any number of them.
   */
  async facets(
    among: FacetScope | null = null,
    most: number = maxOffered,
  ): Promise<{ servers: string[]; tools: string[]; policies: string[] }> {
    const ofServer = (column: string): Prisma.Sql =>
      among ? Prisma.sql`${Prisma.raw(column)} = ANY(${among.servers}::text[])` : Prisma.sql`true`;
    const ofPolicy = among
      ? Prisma.sql`(space_id IS NULL OR space_id = ANY(${among.spaces}::text[]))`
      : Prisma.sql`true`;
    const ofTool = among
      ? Prisma.sql`EXISTS (SELECT FROM elicitation e WHERE e.tool = tools.tool AND ${ofServer('e.server_id')})`
      : Prisma.sql`true`;
    // One index step for each name, however many rows there are.
    const names = await prisma.$queryRaw<{ kind: string; name: string }[]>`
        WITH RECURSIVE tools AS (
          (SELECT tool FROM elicitation ORDER BY tool LIMIT 1)
          UNION ALL
          SELECT (SELECT e.tool FROM elicitation e WHERE e.tool > t.tool ORDER BY e.tool LIMIT 1) FROM tools t
           WHERE t.tool IS NOT NULL)
        SELECT 'server' AS kind, name FROM server WHERE ${ofServer('id')}
        UNION ALL SELECT 'policy', name FROM policy WHERE ${ofPolicy}
        UNION ALL (SELECT 'tool', tool FROM tools WHERE tool IS NOT NULL AND ${ofTool} LIMIT ${most}) ORDER BY 1, 2`;
    const of = (kind: string): string[] => names.filter((name) => name.kind === kind).map(({ name }) => name);
    return { servers: of('server'), tools: of('tool'), policies: of('policy') };
  },
});

/** What else the rows must fit, whichever index finds them. */
const narrowing = (viewer: InboxViewer, { requesters, policies }: InboxPage): Prisma.Sql =>
  Prisma.join(
    [
      requesters
        ? Prisma.sql`AND e.requester_hash = ANY(${requesters}::bytea[]) AND ${isReadable(viewer)}`
        : Prisma.empty,
      policies
        ? Prisma.sql`AND (${policyNameOf()} = ANY(${policies}::text[]) OR e.also_by && ${policies}::text[])`
        : Prisma.empty,
    ],
    ' ',
  );

const countOf = (where: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT count(*)::int FROM (
    SELECT FROM elicitation e JOIN server s ON s.id = e.server_id WHERE ${where} LIMIT ${maxCounted}) AS counted`;
