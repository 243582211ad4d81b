import { hashSecret, newOneTimeSecret } from '../../crypto/one-time-secret.ts';
import { hashPassword } from '../../crypto/password.ts';
import { newId } from '../../crypto/random.ts';
import type { TeamId, UserId } from '../../model/id.ts';
import type { Person, Role } from '../../model/person.ts';
import { Problem } from '../../model/problem.ts';
import type { DirectoryRecord, NewPerson } from '../../store/people/directory.ts';
import { changeDirectory, type Administrator, type DirectoryEngine } from './change-directory.ts';
import { refuseManager } from './change-person.ts';
import type { Engine } from '../engine.ts';
import { refuseOwnReport } from './own-power.ts';
import { newPasswordLink, refuseWeakPassword, type LinkEngine, type PasswordLink } from './password-link.ts';
import { startSession, type SignedInSession } from './sign-in.ts';

export interface NewPersonRequest {
  email: string;
  name: string;
  role: Role;
  managerId?: UserId | null | undefined;
  teams?: TeamId[] | undefined;
}

type WithPassword = NewPersonRequest & { password: string };

/** Milliseconds the first administrator's link can be used: one day. */
const setUpLinkLife = 86_400_000;

/** Adds a person with their password; problem INVALID_INPUT for a weak one, `already-exists` for a known address. */
export async function addPerson(
  engine: DirectoryEngine,
  { password, ...request }: WithPassword,
  by: Administrator = 'operator',
): Promise<Person> {
  refuseWeakPassword(password);
  return add(engine, by, request, { passwordHash: await hashPassword(password) });
}

/** Adds a person who sets a password of their own with the link; problem `already-exists` for a known address. */
export async function invitePerson(
  engine: LinkEngine,
  by: Administrator,
  request: NewPersonRequest,
): Promise<{ person: Person; link: PasswordLink }> {
  const { link, stored } = newPasswordLink(engine);
  return { person: await add(engine, by, request, { passwordHash: null, link: stored }), link };
}

/** The link that makes the first administrator, once; null where there are persons already. */
export async function makeSetUpLink({ people, now }: Pick<Engine, 'people' | 'now'>): Promise<string | null> {
  if ((await people.count()) > 0) return null;
  const { secret, hash } = newOneTimeSecret();
  await people.addLink({ hash, purpose: 'setup', personId: null, expiresAt: now() + setUpLinkLife });
  return secret;
}

/** Makes the first administrator and signs them in. A link outlives no administrator. */
export async function setUp(
  engine: DirectoryEngine & Pick<Engine, 'people'>,
  { link, ...request }: Omit<WithPassword, 'role'> & { link: string },
): Promise<SignedInSession> {
  refuseWeakPassword(request.password);
  const isFirst = (await engine.people.count()) === 0;
  const taken = isFirst && (await engine.people.takeLink(hashSecret(link), 'setup', engine.now()));
  if (!taken) throw new Problem('token-invalid');
  return startSession(engine, await addPerson(engine, { ...request, role: 'admin' }), 'link');
}

async function add(
  engine: DirectoryEngine,
  by: Administrator,
  { email, name, role, managerId = null, teams = [] }: NewPersonRequest,
  access: Pick<NewPerson, 'passwordHash' | 'link'>,
): Promise<Person> {
  const person: Person = { kind: 'person', id: newId('user'), email: email.toLowerCase(), name, role };
  const { kind: _kind, ...row } = person;
  const groups = [...new Set(teams)];
  const told = {
    ...(managerId && { manager: managerId }),
    ...(groups.length > 0 && { teams: groups }),
    ...(access.link && { linkUntil: access.link.expiresAt }),
  };
  await changeDirectory(engine, by, (directory) => {
    refuseKnownAddress(directory, person.email);
    refuseManager(directory, person.id, managerId);
    refuseOwnReport(by, managerId, `user set ${person.email}`);
    refuseUnknownTeams(directory, groups);
    return {
      write: { type: 'new-person', person: { ...row, ...access, managerId, teams: groups } },
      event: { type: 'person.added', person: person.id, role, ...told },
    };
  });
  return person;
}

/** An address that names somebody else's requests would let one of the two approve what the other asked for. */
function refuseKnownAddress({ people }: DirectoryRecord, email: string): void {
  if (people.some((one) => one.email === email))
    throw new Problem('already-exists', { detail: 'There is already a person with this e-mail address.' });
  const known = people.find(({ subjects }) => subjects.some((subject) => subject.toLowerCase() === email));
  if (!known) return;
  const message = `${known.name} is known to MCP clients by this address.`;
  throw new Problem('INVALID_INPUT', { errors: [{ path: ['email'], message }] });
}

function refuseUnknownTeams({ teams }: DirectoryRecord, wanted: TeamId[]): void {
  const at = wanted.findIndex((id) => !teams.some((team) => team.id === id));
  if (at < 0) return;
  const message = 'There is no group of this id.';
  throw new Problem('INVALID_INPUT', { errors: [{ path: ['teams', at], message }] });
}
