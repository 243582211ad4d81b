import type { ServerId, SpaceId } from '#protocol/model/id';
import type { WorkloadTerms } from '#protocol/model/workload';
import { serverIn } from '../../users/in-directory.ts';
import { addWorkload, type NewWorkload } from '../../users/workloads.ts';
import { changeKind } from './change-kind.ts';
import { namedOrNone, ofSpace, formatUser, type NamedUser } from './named.ts';

interface WorkloadFacts {
  server: { id: ServerId; name: string };
  owner: NamedUser | null;
  workload: WorkloadTerms & { kid: string };
  space?: { id: SpaceId; name: string };
}

/** Who asks as a server without a key. */
export const addingWorkload = changeKind({
  title: 'Let a workload ask as an MCP server',
  act: addWorkload,
  facts(directory, { server: id, ...workload }: NewWorkload): WorkloadFacts {
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
