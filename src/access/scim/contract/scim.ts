import { z } from 'zod';
import type { RouteContract } from '#platform/http/contract/route';

// SCIM 2.0 (RFC 7643 and 7644): an identity provider provisions people and groups. What a resource consists of is described
// by SCIM's own /Schemas; here stands what carries it.

const scim = { auth: 'scim', media: 'application/scim+json' } as const;

const ScimResource = z
  .looseObject({ schemas: z.array(z.string()).max(20).optional() })
  .meta({ id: 'ScimResource', description: 'A resource of SCIM. Its attributes are described at /scim/v2/Schemas.' });

const ScimPatch = z
  .looseObject({
    schemas: z.array(z.string()).max(20).optional(),
    Operations: z
      .array(
        z.looseObject({
          op: z.string().max(20).meta({ description: '`add`, `replace` or `remove`; case does not matter.' }),
          path: z.string().max(1000).nullable().optional(),
          value: z.unknown().optional(),
        }),
      )
      .min(1)
      .max(1000),
  })
  .meta({ id: 'ScimPatch' });

const number = z.coerce.number().int();

const Attributes = z.object({
  attributes: z.string().max(1000).optional(),
  excludedAttributes: z.string().max(1000).optional(),
});
const ListQuery = Attributes.extend({
  filter: z.string().max(1000).optional(),
  startIndex: number.optional().meta({ description: 'From 1 on.' }),
  count: number.optional().meta({ description: 'At most 200, which is also the default.' }),
});
/** Ids of other sources, and texts that are no id, are answered like ids that do not exist. */
const params = z.object({ id: z.string() });

const list = { ...scim, method: 'get', query: ListQuery, success: { 200: ScimResource } } as const;
const add = { ...scim, method: 'post', query: Attributes, body: ScimResource, success: { 201: ScimResource } } as const;
const show = { ...scim, method: 'get', params, query: Attributes, success: { 200: ScimResource } } as const;
const replace = {
  ...scim,
  method: 'put',
  params,
  query: Attributes,
  body: ScimResource,
  success: { 200: ScimResource },
} as const;
const patch = { ...replace, method: 'patch', body: ScimPatch } as const;
const remove = { ...scim, method: 'delete', params, success: { 204: null } } as const;
const describe = { ...scim, method: 'get', success: { 200: ScimResource } } as const;

const users = '/scim/v2/Users';
const groups = '/scim/v2/Groups';

export const scimRoutes = {
  showScimConfig: { ...describe, path: '/scim/v2/ServiceProviderConfig', summary: 'What this SCIM server can do.' },
  listScimResourceTypes: { ...describe, path: '/scim/v2/ResourceTypes', summary: 'Users and Groups.' },
  showScimResourceType: { ...describe, path: '/scim/v2/ResourceTypes/{id}', params, summary: 'One kind of resource.' },
  listScimSchemas: {
    ...describe,
    path: '/scim/v2/Schemas',
    summary: 'The attributes that Assentry reads and answers.',
  },
  showScimSchema: { ...describe, path: '/scim/v2/Schemas/{id}', params, summary: 'The attributes of one schema.' },

  listScimUsers: { ...list, path: users, summary: 'The people whom this provider provisions.' },
  addScimUser: { ...add, path: users, summary: 'Add a person with the role of the provider’s rule.' },
  showScimUser: { ...show, path: `${users}/{id}`, summary: 'One person of this provider.' },
  replaceScimUser: { ...replace, path: `${users}/{id}`, summary: 'Set what the provider says of a person.' },
  patchScimUser: { ...patch, path: `${users}/{id}`, summary: 'Change a person; all operations count or none.' },
  removeScimUser: { ...remove, path: `${users}/{id}`, summary: 'Disable a person; the log keeps everything.' },

  listScimGroups: { ...list, path: groups, summary: 'The groups that this provider has made.' },
  addScimGroup: { ...add, path: groups, summary: 'Make a group.' },
  showScimGroup: { ...show, path: `${groups}/{id}`, summary: 'One group of this provider.' },
  replaceScimGroup: { ...replace, path: `${groups}/{id}`, summary: 'Set the name and the members of a group.' },
  patchScimGroup: { ...patch, path: `${groups}/{id}`, summary: 'Change a group; all operations count or none.' },
  removeScimGroup: { ...remove, path: `${groups}/{id}`, summary: 'Delete a group that no policy names.' },
} as const satisfies Record<string, RouteContract>;

// Answers of /ServiceProviderConfig, /ResourceTypes and /Schemas (RFC 7643, sections 5 to 7).

const core = 'urn:ietf:params:scim:schemas:core:2.0';
const isSupported = (supported: boolean) => ({ supported });

export const scimConfig = (location: string, maxResults: number) => ({
  schemas: [`${core}:ServiceProviderConfig`],
  patch: isSupported(true),
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults },
  changePassword: isSupported(false),
  sort: isSupported(false),
  etag: isSupported(true),
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A token that "assentry scim token create" has shown.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location },
});

const typeOf = (name: 'User' | 'Group') => ({
  schemas: [`${core}:ResourceType`],
  id: name,
  name,
  endpoint: `/${name}s`,
  description: name === 'User' ? 'A person.' : 'People whom policies can name.',
  schema: `${core}:${name}`,
});

export const scimResourceTypes = [typeOf('User'), typeOf('Group')];

interface Attribute {
  name: string;
  type: 'string' | 'boolean' | 'complex' | 'reference';
  multiValued: boolean;
  description: string;
  required: boolean;
  caseExact: boolean;
  mutability: 'readWrite' | 'readOnly' | 'immutable';
  returned: 'default' | 'always';
  referenceTypes?: string[];
  uniqueness: 'none' | 'server';
  subAttributes?: Attribute[];
}

const attribute = (name: string, description: string, parts: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...parts,
});

const externalId = attribute('externalId', 'What the provider calls it.', { caseExact: true, uniqueness: 'server' });

const schemaOf = (name: 'User' | 'Group', description: string, attributes: Attribute[]) => ({
  schemas: [`${core}:Schema`],
  id: `${core}:${name}`,
  name,
  description,
  attributes,
});

export const scimSchemas = [
  schemaOf('User', 'A person. Other attributes may be sent and are not stored.', [
    attribute('userName', 'The name with which the provider knows the person.', {
      required: true,
      uniqueness: 'server',
    }),
    externalId,
    attribute('displayName', 'The name that people read.'),
    attribute('name', 'Its parts.', {
      type: 'complex',
      subAttributes: [
        attribute('formatted', 'The name that people read.'),
        attribute('givenName', 'The first name.'),
        attribute('familyName', 'The last name.'),
      ],
    }),
    attribute('emails', 'The address: the primary one, else that of work, else the first.', {
      type: 'complex',
      multiValued: true,
      subAttributes: [
        attribute('value', 'The address.', { uniqueness: 'server' }),
        attribute('type', 'Such as work.'),
        attribute('primary', 'True for the one that counts.', { type: 'boolean' }),
      ],
    }),
    attribute('active', 'False disables the person at once.', { type: 'boolean' }),
  ]),
  schemaOf('Group', 'People whom policies can name.', [
    attribute('displayName', 'The name of the group in policies.', { required: true, uniqueness: 'server' }),
    externalId,
    attribute('members', 'People of this provider.', {
      type: 'complex',
      multiValued: true,
      subAttributes: [
        attribute('value', 'The id of the person.', { caseExact: true, mutability: 'immutable' }),
        attribute('display', 'Their name.', { mutability: 'readOnly' }),
        attribute('$ref', 'Where they are.', { type: 'reference', referenceTypes: ['User'], mutability: 'readOnly' }),
        attribute('type', 'User.', { mutability: 'readOnly' }),
      ],
    }),
  ]),
];
