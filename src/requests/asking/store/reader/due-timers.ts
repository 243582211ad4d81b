import type { ElicitationId } from '#platform/model/id';
import type { Database } from '#platform/database/database';
import { moment } from '#platform/database/sql';

interface DueIds {
  ids: ElicitationId[];
  /** When the next timer after `now` is due, in milliseconds since 1970; null if there is none. */
  nextAt: number | null;
}

export const createDueTimers = ({ prisma }: Pick<Database, 'prisma'>) => ({
  /**
   * Takes up to `limit` open elicitations whose timer is due. Other nodes skip them until `leaseUntil`, after which
   * they are due again if this node has died. Only the following step decides anything.
   */
  async take(now: number, leaseUntil: number, limit: number): Promise<DueIds> {
    const [due] = await prisma.$queryRaw<[DueIds]>`
      WITH taken AS (
        UPDATE elicitation SET wake_at = ${moment(leaseUntil)}
         WHERE id IN (
           SELECT id FROM elicitation WHERE wake_at <= ${moment(now)} AND status = 'open'
            ORDER BY wake_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
        RETURNING id)
      SELECT ARRAY(SELECT id FROM taken) AS ids,
        (SELECT (extract(epoch FROM wake_at) * 1000)::float8 FROM elicitation
          WHERE wake_at > ${moment(now)} AND status = 'open' ORDER BY wake_at LIMIT 1) AS "nextAt"`;
    return due;
  },
});
