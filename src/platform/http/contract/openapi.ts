import { z } from 'zod';
import { rolesWith, type Role } from '#people/directory/contract/permission';
import { ProblemDocument } from './problem.ts';
import type { Proof } from '#access/sign-in/contract/authentication';
import type { RouteContract } from './route.ts';
import { auditRoutes } from '#audit/search/contract';
import { historyRoutes, savedViewRoutes } from '#requests/inbox/contract/history';
import { chatRoutes } from '#notify/chat/contract';
import { bulkRoutes } from '#requests/voting/contract/votes';
import { delegationRoutes } from '#people/delegations/contract';
import { grantRoutes } from '#requests/grants/contract';
import { notificationRoutes } from '#notify/contract/settings';
import { testRequestRoutes } from '#requests/tests/contract';
import { webhookRoutes } from '#notify/webhooks/contract/webhooks';
import { stopRoutes } from '#requests/stops/contract/stops';
import { insightsRoutes } from '#audit/reports/contract/insights';
import { keepingRoutes } from '#keeping/content/contract';
import { machineRoutes } from '#requests/machine/contract';
import { accountRoutes } from '#access/sign-in/contract/account';
import { passkeyRoutes } from '#access/passkeys/contract/passkeys';
import { passkeySignInRoutes } from '#access/passkeys/contract/passkey-sign-in';
import { secondFactorRoutes } from '#access/factors/contract/second-factor';
import { providerRoutes } from '#access/oidc/contract/sign-in-provider';
import { scimRoutes } from '#access/scim/contract/scim';
import { adminTokenRoutes } from '#access/tokens/contract';
import { applyRoutes } from '#people/declared/contract';
import { workloadRoutes } from '#access/workloads/contract';
import { groupConfirmationRoutes } from '#people/groups/contract';
import { keyRoutes, toolRoutes } from '#access/keys/contract/key';
import { roleRoutes } from '#people/roles/contract';
import { spaceRoutes } from '#people/spaces/contract';
import { usersRoutes } from '#people/users/contract';
import { accountPairRoutes } from '#people/accounts/contract';
import { alwaysRoutes } from '#policies/contract/documents';
import { policyRoutes } from '#policies/contract/routes';
import { deliberationRoutes } from '#requests/deliberation/contract/routes';
import { logRoutes } from '#audit/tree/contract';
import { operatorRoutes } from '../../nodes/contract/ready.ts';
import { errorRoutes } from './errors.ts';
import { memoRoutes, passRoutes, identityRoutes, elicitationRoutes } from '#requests/asking/contract/routes';
import { checkRoutes } from '#connect/checks/contract';
import { outcomeRoutes } from '#connect/outcomes/contract';
import { autoRoutes } from '#connect/auto/contract';
import { connectionRoutes } from '#connect/connections/contract';
import { secretRoutes } from '#connect/secrets/contract';
import { credentialRoutes } from '#connect/credentials/contract';
import { tokenRoutes } from '#requests/pages/contract';

/** The OpenAPI 3.1 document, made from the same table and schemas the API serves from. */
export function openApiDocument(version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [id, route] of Object.entries<RouteContract>(routes)) {
    paths[route.path] = { ...paths[route.path], [route.method]: operation(id, route) };
  }
  const named: Record<string, unknown> = {};
  hoistNamed(jsonSchema(ProblemDocument, 'output'), named);
  const hoisted = hoistNamed(paths, named);
  return {
    openapi: '3.1.0',
    info: { title: 'Assentry', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    paths: hoisted,
    components: {
      schemas: named,
      headers: {
        RequestId: { description: 'Of this request, in the log and in problems.', schema: { type: 'string' } },
      },
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'The key of an MCP server: asn_…' },
        session: { type: 'apiKey', in: 'cookie', name: '__Host-assentry' },
        operator: { type: 'http', scheme: 'bearer', description: 'ASSENTRY_METRICS_TOKEN' },
        adminToken: { type: 'http', scheme: 'bearer', description: 'An administrative token: asnadm_…' },
        scim: { type: 'http', scheme: 'bearer', description: 'The SCIM token of an identity provider: asnscim_…' },
        connector: { type: 'http', scheme: 'bearer', description: 'A token of Microsoft’s Bot Connector' },
        signature: { type: 'apiKey', in: 'header', name: 'X-Slack-Signature' },
      },
    },
  };
}

/** Roles that a route needs, which OpenAPI 3.1 has next to its scheme; none for every signed-in person. */
const rolesFor = ({ permission }: RouteContract): Role[] => (permission ? rolesWith(permission) : []);

const inSpace = ({ scope }: RouteContract): string => (scope ? ', everywhere or in the space of what it is about' : '');
function securityOf(route: RouteContract): Record<string, string[]>[] {
  const { auth, permission } = route;
  if (auth === 'none' || auth === 'token') return [];
  if (auth !== 'session-or-token') return [{ [auth]: rolesFor(route) }];
  return [{ session: rolesFor(route) }, { adminToken: permission ? [permission] : [] }];
}

function describe(route: RouteContract): { description?: string } {
  const needs = route.permission ? [`Needs the permission ${route.permission}${inSpace(route)}.`] : [];
  const description = [...needs, ...(proofSentences[route.proof ?? 'none'] ?? [])].join(' ');
  return description === '' ? {} : { description };
}

const proofSentences: Partial<Record<Proof, string[]>> = {
  fresh: ['Outside of a trial, a person must have proven one factor of their own within ten minutes.'],
  'every-factor': ['Outside of a trial, a person must have proven every factor that they have within ten minutes.'],
};

function operation(operationId: string, route: RouteContract): Record<string, unknown> {
  return {
    operationId,
    summary: route.summary,
    ...describe(route),
    // The token is in the path, for which OpenAPI has no scheme.
    security: securityOf(route),
    parameters: [
      ...parameters('path', route.params),
      ...parameters('query', route.query),
      ...headers(operationId, route),
    ],
    ...(route.body && {
      requestBody: { required: true, content: bodyContent(route, jsonSchema(route.body, 'input')) },
    }),
    responses: { ...successes(route), default: refusalOf(route) },
  };
}

const json = (schema: unknown, { media }: RouteContract) => ({ [media ?? 'application/json']: { schema } });

const bodyContent = (route: RouteContract, schema: unknown) =>
  route.html || route.form ? { 'application/x-www-form-urlencoded': { schema } } : json(schema, route);

const page = { 'text/html': { schema: { type: 'string' } } };
const underId = { headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } } };
const pageResponse = {
  description: 'A page for people that says what happened and what to do.',
  ...underId,
  content: page,
};

const problemResponse = {
  description: 'A problem (RFC 9457).',
  ...underId,
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

const scimError = {
  description: 'An error of SCIM (RFC 7644, section 3.12).',
  content: { 'application/scim+json': { schema: { type: 'object' } } },
};

const refusalOf = ({ html, media }: RouteContract) => (html ? pageResponse : media ? scimError : problemResponse);

function successes(route: RouteContract): Record<string, unknown> {
  const { success, summary, events, html, file } = route;
  const download = file && { [file]: { schema: { type: 'string' } } };
  const stream = events && { 'text/event-stream': { schema: jsonSchema(events, 'output') } };
  return Object.fromEntries(
    Object.entries(success).map(([status, schema]) => {
      const document = html ? page : schema && json(jsonSchema(schema, 'output'), route);
      const content = stream ?? download ?? document;
      return [status, { description: summary, ...underId, ...(content && { content }) }];
    }),
  );
}

function parameters(place: 'path' | 'query', schema: z.ZodObject | undefined): unknown[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Record<string, unknown>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => {
    return { name, in: place, required: place === 'path' || required.includes(name), schema };
  });
}

function headers(operationId: string, { events }: RouteContract): unknown[] {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  });
  if (events) return [header('Last-Event-ID', 'Where to resume.')];
  if (operationId !== 'openElicitation') return [];
  return [
    header(
      'Idempotency-Key',
      'Names this opening: repeated with it, it gets the same request for ever. Names the call, too, if the body does not.',
    ),
    header('traceparent', 'The trace of the call (W3C): it is in log lines, and goes with webhooks about the request.'),
  ];
}

/** JSON Schema of its own: named schemas are under $defs. */
const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' });
  return withoutIds(rest) as Record<string, unknown>;
};

/** Removes names of schemas; as JSON Schema ids they would have to be addresses. */
const withoutIds = (value: unknown): unknown =>
  rewrite(value, (key, item) => (key === 'id' && typeof item === 'string' ? [] : [[key, withoutIds(item)]]));

/** Moves $defs into `named`: within this document, `#/$defs` would refer to the root. */
const hoistNamed = (value: unknown, named: Record<string, unknown>): unknown =>
  rewrite(value, (key, item) => {
    if (key === '$ref' && typeof item === 'string') return [[key, item.replace('#/$defs/', '#/components/schemas/')]];
    if (key !== '$defs' || typeof item !== 'object' || item === null) return [[key, hoistNamed(item, named)]];
    for (const [name, schema] of Object.entries(item)) named[name] ??= hoistNamed(schema, named);
    return [];
  });

function rewrite(value: unknown, entry: (key: string, item: unknown) => [string, unknown][]): unknown {
  if (Array.isArray(value)) return value.map((item) => rewrite(item, entry));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, item]) => entry(key, item)));
}

export type { RouteAuth, RouteContract } from './route.ts';

/** Declared type, because an inferred one would be too long. */
type Routes = typeof elicitationRoutes &
  typeof bulkRoutes &
  typeof usersRoutes &
  typeof accountPairRoutes &
  typeof spaceRoutes &
  typeof roleRoutes &
  typeof groupConfirmationRoutes &
  typeof accountRoutes &
  typeof passkeyRoutes &
  typeof passkeySignInRoutes &
  typeof secondFactorRoutes &
  typeof providerRoutes &
  typeof scimRoutes &
  typeof keyRoutes &
  typeof workloadRoutes &
  typeof adminTokenRoutes &
  typeof applyRoutes &
  typeof savedViewRoutes &
  typeof delegationRoutes &
  typeof grantRoutes &
  typeof stopRoutes &
  typeof testRequestRoutes &
  typeof keepingRoutes &
  typeof notificationRoutes &
  typeof webhookRoutes &
  typeof policyRoutes &
  typeof alwaysRoutes &
  typeof deliberationRoutes &
  typeof memoRoutes &
  typeof passRoutes &
  typeof toolRoutes &
  typeof tokenRoutes &
  typeof identityRoutes &
  typeof connectionRoutes &
  typeof secretRoutes &
  typeof autoRoutes &
  typeof outcomeRoutes &
  typeof checkRoutes &
  typeof credentialRoutes &
  typeof logRoutes &
  typeof auditRoutes &
  typeof historyRoutes &
  typeof insightsRoutes &
  typeof machineRoutes &
  typeof chatRoutes &
  typeof operatorRoutes &
  typeof errorRoutes;

/** All routes: the API serves from this table, and the OpenAPI document is made from it. */
export const routes: Routes = {
  ...elicitationRoutes,
  ...bulkRoutes,
  ...usersRoutes,
  ...accountPairRoutes,
  ...spaceRoutes,
  ...roleRoutes,
  ...groupConfirmationRoutes,
  ...accountRoutes,
  ...passkeyRoutes,
  ...passkeySignInRoutes,
  ...secondFactorRoutes,
  ...providerRoutes,
  ...scimRoutes,
  ...keyRoutes,
  ...workloadRoutes,
  ...adminTokenRoutes,
  ...applyRoutes,
  ...savedViewRoutes,
  ...delegationRoutes,
  ...grantRoutes,
  ...stopRoutes,
  ...testRequestRoutes,
  ...keepingRoutes,
  ...notificationRoutes,
  ...webhookRoutes,
  ...policyRoutes,
  ...alwaysRoutes,
  ...deliberationRoutes,
  ...memoRoutes,
  ...passRoutes,
  ...toolRoutes,
  ...tokenRoutes,
  ...identityRoutes,
  ...connectionRoutes,
  ...secretRoutes,
  ...autoRoutes,
  ...outcomeRoutes,
  ...checkRoutes,
  ...credentialRoutes,
  ...logRoutes,
  ...auditRoutes,
  ...historyRoutes,
  ...insightsRoutes,
  ...machineRoutes,
  ...chatRoutes,
  ...operatorRoutes,
  ...errorRoutes,
};

export type RouteId = keyof typeof routes;
