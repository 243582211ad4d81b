import type { UserRecord } from '#people/directory/store/directory-record/directory-record';
import { isAddress, isReadable } from '../../../oidc/verbs/sign-in/add-by-rule.ts';
import type { ProvisionedRecord } from './provisioned.ts';
import {
  flagAt,
  objectsAt,
  resourceOf,
  textAt,
  withKnownNames,
  wrongValue,
  type Attributes,
  type Resource,
} from '../attributes/attributes.ts';

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** A person as their provider describes them. Null is what it does not say. */
export interface ScimUser {
  userName: string;
  externalId: string | null;
  displayName: string | null;
  formatted: string | null;
  givenName: string | null;
  familyName: string | null;
  email: string;
  active: boolean | null;
}

/** What the attributes say; a problem names the first that is missing or wrong. Others are not read. */
export function readScimUser(attributes: Attributes): ScimUser {
  const sent = withKnownNames(attributes);
  const userName = textAt(sent['userName'], ['userName']);
  if (userName === null) throw wrongValue(['userName'], 'Give a value: this is missing.');
  const [name = {}] = objectsAt(sent['name'], ['name']);
  return {
    userName,
    externalId: textAt(sent['externalId'], ['externalId']),
    displayName: textAt(sent['displayName'], ['displayName']),
    formatted: textAt(name['formatted'], ['name', 'formatted']),
    givenName: textAt(name['givenName'], ['name', 'givenName']),
    familyName: textAt(name['familyName'], ['name', 'familyName']),
    email: readAddress(sent['emails'], userName),
    active: flagAt(sent['active'], ['active']),
  };
}

/** The primary address, else that of work, else the first; the user name if it is one and no other is sent. */
function readAddress(emails: unknown, userName: string): string {
  const all = objectsAt(emails, ['emails']);
  const chosen = [
    all.findIndex(({ primary }, at) => flagAt(primary, ['emails', at, 'primary']) === true),
    all.findIndex(({ type }) => typeof type === 'string' && type.toLowerCase() === 'work'),
    0,
  ].find((at) => at >= 0) as number;
  const path = all.length > 0 ? ['emails', chosen, 'value'] : ['emails'];
  const address = all.length > 0 ? textAt(all[chosen]?.['value'], path, 254) : userName;
  if (address === null || !isAddress(address)) throw wrongValue(path, 'Give an email address such as ada@example.com.');
  return address.toLowerCase();
}

/**
 * The name that people read, which hides nothing from them; of someone known, it changes only if what it is made of does.
 * A name that hides something is passed over, because the rest of what the provider says still counts.
 */
export function nameOf(
  { displayName, formatted, givenName, familyName, userName, email }: ScimUser,
  before: UserRecord | null = null,
): string {
  const full = [givenName, familyName].filter((part) => part !== null).join(' ');
  const readable = (...names: (string | null)[]) => names.find((name) => name !== null && isReadable(name));
  if (!before) return readable(displayName, formatted, full, userName) ?? email;
  const changed = readable(...[displayName, formatted].filter((name) => name !== before.name));
  const { provisioned } = before;
  const isFullNew = provisioned && (givenName !== provisioned.givenName || familyName !== provisioned.familyName);
  return changed ?? (isFullNew ? readable(full) : undefined) ?? before.name;
}

/** A person as SCIM reads them. */
export function showScimUser(user: ProvisionedRecord, publicUrl: string): Resource {
  const { userName, externalId, givenName, familyName } = user.provisioned;
  return resourceOf(
    {
      schemas: [userSchema],
      id: user.id,
      ...(externalId !== null && { externalId }),
      userName,
      displayName: user.name,
      name: {
        formatted: user.name,
        ...(givenName !== null && { givenName }),
        ...(familyName !== null && { familyName }),
      },
      emails: [{ value: user.email, type: 'work', primary: true }],
      active: user.disabledAt === null,
    },
    {
      resourceType: 'User',
      created: new Date(user.createdAt).toISOString(),
      location: `${publicUrl}/scim/v2/Users/${user.id}`,
    },
  );
}
