import type { Request, Response } from 'express';
import { scimConfig, scimResourceTypes, scimSchemas } from './contract/scim.ts';
import { routes } from '#platform/http/contract/openapi';
import { choose, type Choice, type Resource, maxResults } from './verbs/attributes.ts';
import {
  addScimGroup,
  listScimGroups,
  patchScimGroup,
  removeScimGroup,
  replaceScimGroup,
  showScimGroup,
} from './verbs/groups.ts';
import {
  addScimUser,
  listScimUsers,
  patchScimUser,
  removeScimUser,
  replaceScimUser,
  showOneScimUser,
} from './verbs/users.ts';
import { Problem } from '#platform/model/problem';
import { ScimProblem } from './contract/problem.ts';
import type { ApiParts } from '#platform/http/routes/parts';
import type { RenderProblem } from '#platform/http/routes/route';

/** SCIM 2.0: identity providers provision people and groups. */
export function serveScimRoutes(parts: ApiParts): void {
  parts.app.use('/scim/v2', (_request, response, next) => {
    response.locals['renderProblem'] = scimError;
    next();
  });
  serveDescription(parts);
  serveUsers(parts);
  serveGroups(parts);
}

/** RFC 7644, section 3.12: in a text, as its clients show it, with the place of each fault. */
const scimError: RenderProblem = ({ status, title, detail }, problem) => {
  const faults = problem.errors.map(({ path, message }) => (path.length > 0 ? `${pathOf(path)}: ${message}` : message));
  return {
    type: 'application/scim+json; charset=utf-8',
    text: JSON.stringify({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(status),
      ...scimTypeOf(problem),
      detail: [...(faults.length > 0 ? [] : [detail ?? title]), ...faults].join(' '),
    }),
  };
};

/** As SCIM writes it: emails[0].value. */
const pathOf = (path: (string | number)[]): string =>
  path.map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at > 0 ? '.' : ''}${part}`)).join('');

function scimTypeOf(problem: Problem): { scimType?: ScimProblem['scimType'] } {
  if (problem instanceof ScimProblem) return { scimType: problem.scimType };
  if (problem.code === 'already-exists') return { scimType: 'uniqueness' };
  return problem.code === 'INVALID_INPUT' ? { scimType: 'invalidValue' } : {};
}

interface Described {
  id: string;
  schemas: string[];
}

function serveDescription({ engine, serve }: ApiParts): void {
  const placed = (resource: Described, kind: 'ResourceType' | 'Schema') => ({
    ...resource,
    meta: { resourceType: kind, location: `${engine.publicUrl()}/scim/v2/${kind}s/${resource.id}` },
  });
  const listOf = (all: readonly Described[], kind: 'ResourceType' | 'Schema') => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: all.length,
    startIndex: 1,
    itemsPerPage: all.length,
    Resources: all.map((resource) => placed(resource, kind)),
  });
  const byId = (all: readonly Described[], id: string, kind: 'ResourceType' | 'Schema') => {
    const match = all.find((candidate) => candidate.id.toLowerCase() === id.toLowerCase());
    if (!match) throw new Problem('not-found');
    return placed(match, kind);
  };
  serve(routes.showScimConfig, async () => {
    const location = `${engine.publicUrl()}/scim/v2/ServiceProviderConfig`;
    return scimConfig(location, maxResults);
  });
  serve(routes.listScimResourceTypes, async () => listOf(scimResourceTypes, 'ResourceType'));
  serve(routes.showScimResourceType, async ({ params }) => byId(scimResourceTypes, params.id, 'ResourceType'));
  serve(routes.listScimSchemas, async () => listOf(scimSchemas, 'Schema'));
  serve(routes.showScimSchema, async ({ params }) => byId(scimSchemas, params.id, 'Schema'));
}

function serveUsers({ engine, serve }: ApiParts): void {
  serve(routes.listScimUsers, async ({ caller, query }) => chosen(await listScimUsers(engine, caller, query), query));
  serve(routes.addScimUser, async ({ caller, body, query, response }) =>
    answer(response, await addScimUser(engine, caller, body), query),
  );
  serve(routes.showScimUser, async ({ caller, params, query, response }) =>
    answer(response, await showOneScimUser(engine, caller, params.id), query),
  );
  serve(routes.replaceScimUser, async ({ caller, params, body, query, request, response }) =>
    answer(response, await replaceScimUser(engine, caller, params.id, body, ifMatch(request)), query),
  );
  serve(routes.patchScimUser, async ({ caller, params, body, query, request, response }) => {
    const user = await patchScimUser(engine, caller, params.id, body.Operations, ifMatch(request));
    return answer(response, user, query);
  });
  serve(routes.removeScimUser, async ({ caller, params, request }) =>
    removeScimUser(engine, caller, params.id, ifMatch(request)),
  );
}

function serveGroups({ engine, serve }: ApiParts): void {
  serve(routes.listScimGroups, async ({ caller, query }) => chosen(await listScimGroups(engine, caller, query), query));
  serve(routes.addScimGroup, async ({ caller, body, query, response }) =>
    answer(response, await addScimGroup(engine, caller, body), query),
  );
  serve(routes.showScimGroup, async ({ caller, params, query, response }) =>
    answer(response, await showScimGroup(engine, caller, params.id), query),
  );
  serve(routes.replaceScimGroup, async ({ caller, params, body, query, request, response }) =>
    answer(response, await replaceScimGroup(engine, caller, params.id, body, ifMatch(request)), query),
  );
  serve(routes.patchScimGroup, async ({ caller, params, body, query, request, response }) => {
    const group = await patchScimGroup(engine, caller, params.id, body.Operations, ifMatch(request));
    return answer(response, group, query);
  });
  serve(routes.removeScimGroup, async ({ caller, params, request }) =>
    removeScimGroup(engine, caller, params.id, ifMatch(request)),
  );
}

const ifMatch = (request: Request): string | undefined => request.get('if-match');

function answer(response: Response, resource: Resource, choice: Choice) {
  response.set('etag', resource.meta.version);
  if (response.req.method === 'POST') response.set('location', resource.meta.location);
  return choose(resource, choice);
}

const chosen = ({ Resources, ...list }: { Resources: Resource[] }, choice: Choice) => ({
  ...list,
  Resources: Resources.map((resource) => choose(resource, choice)),
});
