import { serverIn } from '../../../directory/verbs/directory/in-directory.ts';
import { addWorkload, type NewWorkload } from '#access/workloads/verbs';
import { changeKind } from './change-kind.ts';
import { namedOrNone, ofSpace, formatUser } from './named.ts';

/** Who asks as a server without a key. */
export const addingWorkload = changeKind({
  title: 'Let a workload ask as an MCP server',
  act: addWorkload,
  facts(directory, { server: id, ...workload }: NewWorkload) {
    const { name, ownerId, spaceId } = serverIn(directory, id);
    return {
      server: { id, name },
      owner: namedOrNone(directory, ownerId),
      workload,
      ...ofSpace(directory, spaceId),
    };
  },
  changeIn: ({ server, workload }) => ({ ...workload, server: server.id }),
  say: ({ server, owner, workload: { issuer, audience, subject } }) =>
    `Let ${subject} of ${issuer} ask as ${server.name}, whose owner is ${formatUser(owner)}, with tokens for ${audience}.`,
});
