// What /ServiceProviderConfig, /ResourceTypes and /Schemas say (RFC 7643, sections 5 to 7).

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
