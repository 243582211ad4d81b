import { readEntry } from '#audit/entries/rules/entry';
import type { ElicitationId } from '#platform/model/id';
import { Problem } from '#platform/model/problem/problem';
import type { User } from '#people/directory/contract/user';
import { currentElicitation } from '#requests/state/verbs/change/change';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { usersIn } from '#requests/inbox/verbs/request/show-elicitation';
import { showVotes } from '#requests/inbox/verbs/request/show-proceedings';
import { isAboutRequest, showActor, showEvent } from '#requests/inbox/verbs/request/timeline';
import { assertVisible } from '#requests/inbox/verbs/visibility/visible-of';
import { deciders } from '../holds/show-holds.ts';

/** What is left of a request whose content was erased: who erased it, who decided it, and what happened. */
export async function showErased(engine: Engine, user: User, id: ElicitationId) {
  const row = await currentElicitation(engine, id);
  await assertVisible(engine, user, row, 'notice');
  if (row.dataKey) throw new Problem('not-found');
  const history = (await engine.reader.history(id)).map(readEntry);
  const erasure = history.findLast((event) => event.type === 'content.erased');
  if (!erasure) throw new Problem('unproven');
  const people = [...history.flatMap(usersIn), ...deciders(erasure.actor)];
  const names = new Map([[row.serverId as string, row.serverName], ...(await engine.users.names(people))]);
  const votes = (await engine.reader.votes(id)).map((vote) => ({ ...vote, comment: null }));
  const { status, cause, risk, revision, digest, policy, tool, openedAt, closedAt } = row;
  return {
    id,
    server: row.serverName,
    tool,
    status,
    cause,
    risk,
    revision,
    digest,
    policy,
    openedAt,
    closedAt,
    erased: {
      at: Date.parse(erasure.at),
      by: showActor(erasure.actor, names),
      with: deciders(erasure.actor)
        .slice(1)
        .map((id) => names.get(id) ?? ''),
      ground: erasure.ground,
    },
    votes: showVotes(engine.ring, row, votes, history, names).map(({ id: _id, ...vote }) => vote),
    timeline: history.filter(isAboutRequest).map((event) => ({
      at: Date.parse(event.at),
      by: showActor(event.actor, names),
      event: showEvent(event, names),
      comment: null,
    })),
  };
}
