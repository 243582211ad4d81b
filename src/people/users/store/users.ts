import type { UserId } from '#platform/model/id';
import type { User } from '../../directory/contract/user.ts';
import type { Ledger } from '#audit/entries/store/entries';
import { createLinks, type Links } from '#access/sign-in/store/links';
import { createOwnSessions, type OwnSessions, createSessions, type Sessions } from '#access/sign-in/store/sessions';
import { createSignInBudgets, type SignInBudgets } from '#access/sign-in/store/budgets';
import { readUser, readUsers } from '../../directory/store/directory-record.ts';

/** People, their signed-in browsers and their one-time links. Disabled people count as absent. */
export type Users = ReturnType<typeof createPeople> & Sessions & OwnSessions & Links & SignInBudgets;

export const createUsers = (ledger: Ledger): Users => ({
  ...createPeople(ledger),
  ...createSessions(ledger),
  ...createOwnSessions(ledger),
  ...createLinks(ledger),
  ...createSignInBudgets(ledger),
});

const createPeople = ({ prisma }: Ledger) => ({
  count: (): Promise<number> => prisma.user.count({ where: { disabledAt: null, id: { gt: '' } } }),
  async byId(id: UserId): Promise<User | null> {
    const row = await prisma.user.findUnique({ where: { id, disabledAt: null } });
    return row && readUser(prisma, row);
  },
  /** The person linked to this member of a chat. */
  async byChatMember(chatMember: string): Promise<User | null> {
    const row = await prisma.user.findUnique({ where: { chatMember, disabledAt: null } });
    return row && readUser(prisma, { ...row, credentialIssuer: row.chatIssuerId });
  },
  /** Everyone linked to a member of a chat, by the member's id. */
  async inChat(): Promise<Map<string, User>> {
    const rows = await prisma.user.findMany({ where: { chatMember: { not: null }, disabledAt: null } });
    const issued = rows.map((row) => ({ ...row, credentialIssuer: row.chatIssuerId }));
    const people = await readUsers(prisma, issued);
    return new Map(rows.flatMap(({ chatMember }, at) => (people[at] ? [[chatMember ?? '', people[at]]] : [])));
  },
  async byEmail(email: string): Promise<{ user: User; passwordHash: string | null } | null> {
    const row = await prisma.user.findUnique({ where: { email: email.toLowerCase(), disabledAt: null } });
    return row && { user: await readUser(prisma, row), passwordHash: row.passwordHash };
  },
  async mayBreakGlass(id: UserId): Promise<boolean> {
    const row = await prisma.user.findUnique({ where: { id, disabledAt: null }, select: { mayBreakGlass: true } });
    return row?.mayBreakGlass === true;
  },
  /** Names of this person at MCP clients; null for a disabled one. */
  namesOf: (id: UserId): Promise<{ email: string; subjects: string[] } | null> =>
    prisma.user.findUnique({ where: { id, disabledAt: null }, select: { email: true, subjects: true } }),
  /** The names that people read, including those of disabled people. */
  async names(ids: string[]): Promise<Map<string, string>> {
    const where = { id: { in: [...new Set(ids)] } };
    const rows = await prisma.user.findMany({ where, select: { id: true, name: true } });
    return new Map(rows.map(({ id, name }) => [id, name]));
  },
});
