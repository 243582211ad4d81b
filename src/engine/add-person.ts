import { auditEntry, type Actor } from '../audit/entry.ts';
import { hashSecret, newOneTimeSecret } from '../crypto/one-time-secret.ts';
import { checkPasswordStrength, hashPassword } from '../crypto/password.ts';
import { newId } from '../crypto/random.ts';
import type { Person, Role } from '../model/person.ts';
import { Problem } from '../model/problem.ts';
import type { Engine } from './engine.ts';
import { startSession, type SignedInSession } from './sign-in.ts';

export interface NewPersonRequest {
  email: string;
  name: string;
  role: Role;
  password: string;
}

type PeopleEngine = Pick<Engine, 'people' | 'now'>;

/** Milliseconds the first administrator's link can be used: one day. */
const setUpLinkLife = 86_400_000;

/** Adds a person of the console; problem INVALID_INPUT for a weak password, `already-exists` for a known address. */
export async function addPerson(
  { people, now }: PeopleEngine,
  { email, name, role, password }: NewPersonRequest,
  actor: Actor = { kind: 'operator' },
): Promise<Person> {
  const errors = checkPasswordStrength(password).map(({ message }) => ({ path: ['password'], message }));
  if (errors.length > 0) throw new Problem('INVALID_INPUT', { errors });
  const person: Person = { kind: 'person', id: newId('user'), email: email.toLowerCase(), name, role };
  const entry = auditEntry(newId('entry'), now(), actor, { type: 'person.added', person: person.id, role });
  const { kind: _kind, ...row } = person;
  await people.add({ ...row, passwordHash: await hashPassword(password) }, entry);
  return person;
}

/** The link that makes the first administrator, once; null where there are persons already. */
export async function makeSetUpLink({ people, now }: PeopleEngine): Promise<string | null> {
  if ((await people.count()) > 0) return null;
  const { secret, hash } = newOneTimeSecret();
  await people.addLink({ hash, purpose: 'setup', personId: null, expiresAt: now() + setUpLinkLife });
  return secret;
}

/** Makes the first administrator and signs them in. A link outlives no administrator. */
export async function setUp(
  engine: PeopleEngine,
  { link, ...request }: Omit<NewPersonRequest, 'role'> & { link: string },
): Promise<SignedInSession> {
  const weak = checkPasswordStrength(request.password).map(({ message }) => ({ path: ['password'], message }));
  if (weak.length > 0) throw new Problem('INVALID_INPUT', { errors: weak });
  const isFirst = (await engine.people.count()) === 0;
  const taken = isFirst && (await engine.people.takeLink(hashSecret(link), 'setup', engine.now()));
  if (!taken) throw new Problem('token-invalid');
  return startSession(engine, await addPerson(engine, { ...request, role: 'admin' }), 'link');
}
