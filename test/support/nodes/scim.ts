import { expect } from '@jest/globals';
import type { UserId } from '#platform/model/id';
import type { ScimRule, SignInProvider } from '#access/oidc/contract/identity-provider';

/** The settings of a provider that provisions people. */
export const newPeople = {
  role: 'approver',
  domains: ['example.com'],
  claims: {},
  verifiedBy: 'email_verified',
} as const;

export const scimProvider = (
  key: string,
  scim: Partial<ScimRule> | null = {},
  parts: Partial<SignInProvider> = {},
): SignInProvider => ({
  key,
  name: key.toUpperCase(),
  issuer: `https://${key}.example.com`,
  clientId: 'assentry',
  clientSecret: 'a-secret-that-client-and-provider-share',
  scopes: ['openid', 'email'],
  multiFactor: { acr: [], amr: [] },
  newPeople,
  groups: null,
  scim: scim && { attribute: 'externalId', claim: 'sub', ...scim },
  ...parts,
});

/** What is in an answer, as far as tests look at it. */
export interface ScimAnswer {
  status: number;
  headers: Headers;
  body: Record<string, unknown> & {
    id: string;
    detail: string;
    scimType?: string;
    totalResults: number;
    Resources: (Record<string, unknown> & { id: string })[];
    meta: { version: string; location: string };
  };
}

export interface Scim {
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ScimAnswer>;
  /** A PATCH with these operations. */
  patch(path: string, ...operations: Record<string, unknown>[]): Promise<ScimAnswer>;
  at(url: string): Scim;
}

/** Calls SCIM at this node with this token, as a provider does. */
export function scimAt(url: string, token: string): Scim {
  const call: Scim['call'] = async (method, path, body, headers = {}) => {
    const answer = await fetch(`${url}/scim/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/scim+json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const parsed = (text === '' ? {} : JSON.parse(text)) as ScimAnswer['body'];
    return { status: answer.status, headers: answer.headers, body: parsed };
  };
  return {
    call,
    patch: (path, ...operations) =>
      call('PATCH', path, { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: operations }),
    at: (other) => scimAt(other, token),
  };
}

/** Adds a person. */
export async function added(by: Scim, user: object): Promise<UserId> {
  const { status, body } = await by.call('POST', '/Users', user);
  expect([status, body]).toEqual([201, expect.anything()]);
  return body.id as UserId;
}

/** A person as Okta sends them at first. */
export const oktaUser = (name: string, parts: Record<string, unknown> = {}) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: `${name}@example.com`,
  name: { givenName: name, familyName: 'Okta' },
  emails: [{ primary: true, value: `${name}@example.com`, type: 'work' }],
  displayName: `${name} Okta`,
  locale: 'en-US',
  externalId: `00u-${name}`,
  groups: [],
  active: true,
  ...parts,
});

/** The same as Microsoft Entra ID does. */
export const entraUser = (name: string, parts: Record<string, unknown> = {}) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
  externalId: `oid-${name}`,
  userName: `${name}@upn.example.com`,
  active: true,
  displayName: `${name} Entra`,
  emails: [{ primary: true, type: 'work', value: `${name}@example.com` }],
  meta: { resourceType: 'User' },
  name: { formatted: `${name} Entra`, familyName: 'Entra', givenName: name },
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Finance', employeeNumber: '7' },
  ...parts,
});
