import type { Express } from 'express';
import type { AddedPerson, PasswordLink, PersonList, ServerList, TeamList } from '../../contract/people/people.ts';
import { routes } from '../../contract/routes.ts';
import { invitePerson } from '../../engine/people/add-person.ts';
import { changePerson } from '../../engine/people/change-person.ts';
import { addTeam, changeMembers, changeTeam, deleteTeam, setOwner } from '../../engine/people/change-team.ts';
import { makePasswordLink } from '../../engine/people/password-link.ts';
import { showDirectory } from '../../engine/people/show-directory.ts';
import type { ServerId, TeamId, UserId } from '../../model/id.ts';
import { Problem } from '../../model/problem.ts';
import type { ApiParts } from '../http/api-parts.ts';
import { serve } from '../http/route.ts';

/** Who there is: people, teams, and who answers for which server. */
export function servePeopleRoutes(app: Express, parts: ApiParts): void {
  servePeople(app, parts);
  serveTeams(app, parts);
  serveServers(app, parts);
}

function servePeople(app: Express, { engine, authenticate }: ApiParts): void {
  serve(app, routes.listPeople, authenticate, async () => {
    const { people } = await showDirectory(engine);
    const body: PersonList = { people };
    return { status: 200, body };
  });

  serve(app, routes.addPerson, authenticate, async ({ caller, body }) => {
    const request = { ...body, managerId: body.managerId as UserId | null | undefined, teams: body.teams as TeamId[] };
    const { person, link } = await invitePerson(engine, caller, request);
    const added: AddedPerson = { person: pick((await showDirectory(engine)).people, person.id), link };
    return { status: 201, body: added };
  });

  serve(app, routes.makePasswordLink, authenticate, async ({ caller, params }) => {
    const link: PasswordLink = await makePasswordLink(engine, caller, params.id as UserId);
    return { status: 201, body: link };
  });

  serve(app, routes.changePerson, authenticate, async ({ caller, params, body }) => {
    const managerId = body.managerId as UserId | null | undefined;
    await changePerson(engine, caller, params.id as UserId, { ...body, managerId });
    return { status: 200, body: pick((await showDirectory(engine)).people, params.id) };
  });
}

function serveTeams(app: Express, { engine, authenticate }: ApiParts): void {
  const shown = async (id: string) => pick((await showDirectory(engine)).teams, id);

  serve(app, routes.listTeams, authenticate, async () => {
    const { teams } = await showDirectory(engine);
    const body: TeamList = { teams };
    return { status: 200, body };
  });

  serve(app, routes.addTeam, authenticate, async ({ caller, body }) => ({
    status: 201,
    body: await shown(await addTeam(engine, caller, body)),
  }));

  serve(app, routes.changeTeam, authenticate, async ({ caller, params, body }) => {
    await changeTeam(engine, caller, params.id as TeamId, body);
    return { status: 200, body: await shown(params.id) };
  });

  serve(app, routes.changeMembers, authenticate, async ({ caller, params, body }) => {
    const { add, remove } = body as { add?: UserId[]; remove?: UserId[] };
    await changeMembers(engine, caller, params.id as TeamId, { add, remove });
    return { status: 200, body: await shown(params.id) };
  });

  serve(app, routes.deleteTeam, authenticate, async ({ caller, params }) => {
    await deleteTeam(engine, caller, params.id as TeamId);
    return { status: 204 };
  });
}

function serveServers(app: Express, { engine, authenticate }: ApiParts): void {
  serve(app, routes.listServers, authenticate, async () => {
    const { servers } = await showDirectory(engine);
    const body: ServerList = { servers };
    return { status: 200, body };
  });

  serve(app, routes.changeServer, authenticate, async ({ caller, params, body }) => {
    await setOwner(engine, caller, params.id as ServerId, body.ownerId as UserId | null);
    return { status: 200, body: pick((await showDirectory(engine)).servers, params.id) };
  });
}

/** What was just changed, as it is now; it may have been deleted in between. */
function pick<T extends { id: string }>(list: T[], id: string): T {
  const found = list.find((one) => one.id === id);
  if (!found) throw new Problem('not-found');
  return found;
}
