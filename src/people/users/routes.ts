import type { AddedUser } from './contract.ts';
import { routes } from '#platform/http/contract/openapi';
import { requestChange } from '../changes/verbs/changes.ts';
import { needsSecond, groupIn } from '../directory/verbs/directory.ts';
import { addGroup, changeGroup, deleteGroup } from '../groups/verbs.ts';
import { linkWay, mailPasswordLink } from '#access/sign-in/verbs/links';
import {
  listGroups,
  listServers,
  listUsers,
  showGroup,
  showServer,
  showUser,
} from '../directory/verbs/show-directory.ts';
import { showServerTools } from '#access/keys/verbs/tools';
import { type ApiParts, answerChange } from '#platform/http/routes/parts';

/** The directory: people, groups and servers. */
export function serveUsersRoutes(parts: ApiParts): void {
  serveUsers(parts);
  serveGroups(parts);
  serveServers(parts);
}

function serveUsers({ engine, serve }: ApiParts): void {
  serve(routes.listUsers, async ({ caller, query }) => ({
    ...(await listUsers(engine, caller, query)),
    linksBy: linkWay(engine),
  }));

  serve(routes.addUser, async ({ caller, body }) =>
    answerChange(await requestChange(engine, caller, 'add-user', body), 201, async ({ user, linkUntil }) => {
      const added: AddedUser = { user: await showUser(engine, user.id), linkUntil };
      return added;
    }),
  );

  serve(routes.mailPasswordLink, async ({ caller, params }) => ({
    linkUntil: await mailPasswordLink(engine, caller, params.id),
  }));

  serve(routes.resetFactors, async ({ caller, params }) => ({
    linkUntil: await mailPasswordLink(engine, caller, params.id, { resetsFactors: true }),
  }));

  serve(routes.changeUser, async ({ caller, params, body }) => {
    const change = { id: params.id, changes: body };
    return answerChange(await requestChange(engine, caller, 'change-user', change), 200, async () =>
      showUser(engine, params.id),
    );
  });
}

function serveGroups({ engine, serve }: ApiParts): void {
  serve(routes.listGroups, async ({ caller, query }) => listGroups(engine, caller, query));

  serve(routes.addGroup, async ({ caller, body }) => showGroup(engine, await addGroup(engine, caller, body)));

  serve(routes.changeGroup, async ({ caller, params, body }) => {
    await changeGroup(engine, caller, params.id, body);
    return showGroup(engine, params.id);
  });

  serve(routes.changeMembers, async ({ caller, params, body }) => {
    const { add = [], remove = [] } = body;
    const change = { id: params.id, add, remove };
    return answerChange(await requestChange(engine, caller, 'add-members', change), 200, () =>
      showGroup(engine, params.id),
    );
  });

  serve(routes.adoptGroup, async ({ caller, params, body }) =>
    answerChange(await requestChange(engine, caller, 'adopt-group', { id: params.id, ...body }), 200, () =>
      showGroup(engine, params.id),
    ),
  );

  serve(routes.deleteGroup, async ({ caller, params }) => {
    try {
      await deleteGroup(engine, caller, params.id);
      return { status: 204 };
    } catch (error) {
      if (!needsSecond(error)) throw error;
      const { name: group } = groupIn(await engine.directory.read(), params.id);
      const changes = [{ change: 'delete-group', group }] as const;
      return answerChange(await requestChange(engine, caller, 'apply-directory', { changes }), 200, () => ({}));
    }
  });
}

function serveServers({ engine, serve }: ApiParts): void {
  serve(routes.listServers, async ({ caller, query }) => listServers(engine, caller, query));

  serve(routes.listTools, async ({ caller, params }) => showServerTools(engine, caller, params.id));

  serve(routes.changeServer, async ({ caller, params, body }) => {
    const change = { id: params.id, owner: body.ownerId };
    return answerChange(await requestChange(engine, caller, 'set-owner', change), 200, async () =>
      showServer(engine, params.id),
    );
  });
}
