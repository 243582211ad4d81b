import type { Prisma } from '#platform/database/generated/prisma/client';
import type { NotificationId, UserId } from '#platform/model/id';
import { copy } from '../../directory/store/directory-record.ts';

/** A one-time link. Its secret is stored only if it goes by mail, and then sealed. */
export interface StoredLink {
  hash: Uint8Array;
  expiresAt: number;
  /** The administrator who made it; null for the operator. */
  issuerId: UserId | null;
  /** Does setting a password with it also remove the person's second factors? */
  resetsFactors?: boolean;
  mail?: LinkMail;
}

/** The mail that brings a link to its person. */
interface LinkMail {
  id: NotificationId;
  /** The link's secret, sealed. */
  sealed: Uint8Array;
  /** Milliseconds since 1970. */
  at: number;
}

/** Changes to a person's sign-in wait for each other here, so that each sees the one before. */
export const lockUser = (tx: Prisma.TransactionClient, id: UserId): Promise<unknown> =>
  tx.$queryRaw`SELECT id FROM app_user WHERE id = ${id} FOR NO KEY UPDATE`;

/** Ends this person's links, what their devices are told, and their sessions but the one with the hash `keep`. */
export async function endAccess(
  tx: Prisma.TransactionClient,
  userId: string,
  usedAt: Date,
  keep?: Uint8Array,
): Promise<void> {
  await tx.session.deleteMany({ where: { userId, ...(keep && { NOT: { hash: copy(keep) } }) } });
  await tx.pushDevice.deleteMany({ where: { userId } });
  await endLinks(tx, userId, usedAt);
}

/** Uses up this person's links. */
export const endLinks = (tx: Prisma.TransactionClient, userId: string, usedAt: Date): Promise<unknown> =>
  tx.link.updateMany({ where: { userId, usedAt: null }, data: { usedAt } });

/** Makes the mail due in the commit that makes the link. */
export async function mailLink(tx: Prisma.TransactionClient, target: UserId, link?: StoredLink): Promise<void> {
  if (!link?.mail) return;
  const { id, at } = link.mail;
  const due = { createdAt: new Date(at), dueAt: new Date(at) };
  await tx.notification.create({ data: { id, channel: 'email', target, kind: 'link', occasion: id, ...due } });
}

export const newLink = ({ hash, expiresAt, issuerId, resetsFactors = false, mail }: StoredLink) => ({
  hash: new Uint8Array(hash),
  issuerId,
  resetsFactors,
  sealed: mail ? new Uint8Array(mail.sealed) : null,
  purpose: 'password',
  expiresAt: new Date(expiresAt),
});
