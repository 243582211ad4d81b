import type { AuditEntry } from '#audit/entries/rules/entry';
import type { WebhookId } from '#platform/model/id';
import type { InCommit } from '#platform/database/database';
import { insertEntry, type Ledger } from '#audit/entries/store/entries';

export interface StoredWebhook {
  id: WebhookId;
  sealed: Uint8Array;
  /** Milliseconds since 1970. */
  addedAt: number;
}

/** The webhooks: programs outside that get messages about requests. */
export const createWebhooks = ({ prisma, evidence }: Ledger) => ({
  /** All webhooks, the oldest first. */
  async list(): Promise<StoredWebhook[]> {
    return (await prisma.webhook.findMany({ orderBy: [{ addedAt: 'asc' }, { id: 'asc' }] })).map(toWebhook);
  },
  async find(id: WebhookId): Promise<StoredWebhook | null> {
    const row = await prisma.webhook.findUnique({ where: { id } });
    return row && toWebhook(row);
  },
  /** Stores a webhook with its entry, and does nothing if one has this id. */
  add: ({ id, sealed, addedAt }: StoredWebhook, entry: AuditEntry, also: InCommit) =>
    prisma.$transaction(async (tx) => {
      await also(tx);
      const data = { id, sealed: new Uint8Array(sealed), addedAt: new Date(addedAt) };
      const { count } = await tx.webhook.createMany({ data, skipDuplicates: true });
      if (count === 1) await insertEntry(tx, evidence.seal(entry, {}));
    }),
  /** Removes a webhook; resolves with false, and writes nothing, if there is none. */
  remove: (id: WebhookId, entry: AuditEntry): Promise<boolean> =>
    prisma.$transaction(async (tx) => {
      const { count } = await tx.webhook.deleteMany({ where: { id } });
      if (count === 1) await insertEntry(tx, evidence.seal(entry, {}));
      return count === 1;
    }),
  /** Stores the target sealed again, unless it has changed meanwhile. */
  async rewrap(id: WebhookId, { was, now }: { was: Uint8Array; now: Uint8Array }) {
    const where = { id, sealed: new Uint8Array(was) };
    await prisma.webhook.updateMany({ where, data: { sealed: new Uint8Array(now) } });
  },
});

const toWebhook = ({ id, sealed, addedAt }: { id: string; sealed: Uint8Array; addedAt: Date }): StoredWebhook => ({
  id: id as WebhookId,
  sealed,
  addedAt: addedAt.getTime(),
});
