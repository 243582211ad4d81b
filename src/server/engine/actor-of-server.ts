import type { Actor } from '#core/audit/entry';
import type { ServerCaller } from '#protocol/model/user';

/** Who asks, for the log: the server, with the workload if it showed no key. */
export const actorOfServer = ({ id, proof }: Pick<ServerCaller, 'id' | 'proof'>): Actor => ({
  kind: 'server',
  id,
  ...(proof?.isWorkload && { workload: proof.kid }),
});
