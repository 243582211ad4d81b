import type { UserId } from '#protocol/model/id';
import type { User } from '#protocol/model/user';
import type { Ledger } from '../log/sealed-entry.ts';
import { createLinks, type Links } from './links.ts';
import { createOwnSessions, type OwnSessions } from './own-sessions.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { createSignInBudgets, type SignInBudgets } from './sign-in-budgets.ts';
import { readUser, readUsers } from './user-row.ts';

/** People, their signed-in browsers and their one-time links. Disabled people count as absent. */
export interface Users extends Sessions, OwnSessions, Links, SignInBudgets {
  count(): Promise<number>;
  byId(id: UserId): Promise<User | null>;
  /** The person linked to this member of a chat. */
  byChatMember(chatMember: string): Promise<User | null>;
  /** Everyone linked to a member of a chat, by the member's id. */
  inChat(): Promise<Map<string, User>>;
  byEmail(email: string): Promise<{ user: User; passwordHash: string | null } | null>;
  mayBreakGlass(id: UserId): Promise<boolean>;
  /** By what MCP clients know this person; null for a disabled one. */
  namesOf(id: UserId): Promise<{ email: string; subjects: string[] } | null>;
  /** The names that people read, including those of disabled people. */
  names(ids: string[]): Promise<Map<string, string>>;
}

export function createUsers(ledger: Ledger): Users {
  const { prisma } = ledger;
  return {
    ...createSessions(ledger),
    ...createOwnSessions(ledger),
    ...createLinks(ledger),
    ...createSignInBudgets(ledger),
    count: () => prisma.user.count({ where: { disabledAt: null, id: { gt: '' } } }),
    async byId(id) {
      const row = await prisma.user.findUnique({ where: { id, disabledAt: null } });
      return row && readUser(prisma, row);
    },
    async byChatMember(chatMember) {
      const row = await prisma.user.findUnique({ where: { chatMember, disabledAt: null } });
      return row && readUser(prisma, { ...row, credentialIssuer: row.chatIssuerId });
    },
    async inChat() {
      const rows = await prisma.user.findMany({ where: { chatMember: { not: null }, disabledAt: null } });
      const issued = rows.map((row) => ({ ...row, credentialIssuer: row.chatIssuerId }));
      const people = await readUsers(prisma, issued);
      return new Map(rows.flatMap(({ chatMember }, at) => (people[at] ? [[chatMember ?? '', people[at]]] : [])));
    },
    async byEmail(email) {
      const row = await prisma.user.findUnique({ where: { email: email.toLowerCase(), disabledAt: null } });
      return row && { user: await readUser(prisma, row), passwordHash: row.passwordHash };
    },
    async mayBreakGlass(id) {
      const row = await prisma.user.findUnique({ where: { id, disabledAt: null }, select: { mayBreakGlass: true } });
      return row?.mayBreakGlass === true;
    },
    namesOf: (id) =>
      prisma.user.findUnique({ where: { id, disabledAt: null }, select: { email: true, subjects: true } }),
    async names(ids) {
      const where = { id: { in: [...new Set(ids)] } };
      const rows = await prisma.user.findMany({ where, select: { id: true, name: true } });
      return new Map(rows.map(({ id, name }) => [id, name]));
    },
  };
}
