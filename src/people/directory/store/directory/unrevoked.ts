import { Problem } from '#platform/model/problem/problem';
import { Prisma } from '#platform/database/generated/prisma/client';
import type { InCommit } from '#platform/database/database/in-commit';

/** In the commit of what a token does: problem `unauthenticated` if it was revoked meanwhile. A revocation waits for the commit. */
export const unrevokedIn =
  (table: 'admin_token' | 'scim_token', kid: string): InCommit =>
  async (tx) => {
    const rows = await tx.$queryRaw<unknown[]>`
      SELECT kid FROM ${Prisma.raw(table)} WHERE kid = ${kid} AND revoked_at IS NULL FOR SHARE`;
    if (rows.length === 0) throw new Problem('unauthenticated');
  };
