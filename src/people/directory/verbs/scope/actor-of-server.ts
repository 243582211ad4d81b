import type { Actor } from '#audit/entries/rules/entry';
import type { ServerCaller } from '../../contract/user.ts';

/** Who asks, for the log: the server, with the workload if it showed no key. */
export const actorOfServer = ({ id, proof }: Pick<ServerCaller, 'id' | 'proof'>): Actor => ({
  kind: 'server',
  id,
  ...(proof?.isWorkload && { workload: proof.kid }),
});
