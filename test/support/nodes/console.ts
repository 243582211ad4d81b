import { randomUUID } from 'node:crypto';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { setSpaceRole } from '#people/spaces/verbs';
import { byLink, startSession } from '#access/sign-in/verbs/sessions';
import { byPassword } from '#access/passwords/verbs';
import { decoyHash } from '#access/passwords/rules/passwords';
import { newId } from '#platform/crypto/random';
import type { SpaceId } from '#platform/model/id';
import { isTrial } from '#policies/contract/policy';
import type { SpaceRole } from '#people/roles/contract';
import type { User } from '#people/directory/contract/user';
import type { Role } from '#people/directory/contract/permission';
import type { RunningServer } from '#server/server';
import { addRow } from '../databases/rows.ts';
import { json } from '../json.ts';
import { patientFetch } from './patient-fetch.ts';

/** A signed-in browser at one node. */
export interface Browser {
  user: User;
  cookie: string;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  show(id: string): Promise<ElicitationDetail>;
  /** Votes to approve; `parts` stand over that. */
  vote(request: { id: string; digest: string }, parts?: object): Promise<Response>;
  /** The same by one who watches over requests, and says why. */
  look(id: string): Promise<ElicitationDetail>;
  /** The same session at another node. */
  at(url: string): Browser;
}

const proven = { link: byLink, password: byPassword };

/**
 * Adds a person whose password no one knows and signs them in by a link, or as if by a password: no hashing, so that
 * many come quickly. Outside of a trial it is as if by the password, as acts take a proof there.
 */
export async function openBrowser(
  { engine, url }: RunningServer,
  role: Role = 'approver',
  by: 'link' | 'password' = isTrial(engine.environment) ? 'link' : 'password',
): Promise<Browser> {
  const id = newId('user');
  const existing = { id, email: `${randomUUID()}@example.com`, name: `Person ${id}`, role };
  const user: User = { kind: 'user', ...existing };
  await addRow(engine, { ...existing, passwordHash: decoyHash }, engine.now());
  const session = await startSession(engine, user, proven[by]);
  return browserAt(url, user, `assentry=${session?.secret}`);
}

/** The same person, who has just signed in once more by their password: what they proved before may be too old. */
export async function signInAnew({ engine, url }: RunningServer, { user }: Browser): Promise<Browser> {
  const session = await startSession(engine, user, byPassword);
  return browserAt(url, user, `assentry=${session?.secret}`);
}

/** The browser of someone who has this role in the space, as well as the one that they have everywhere. */
export async function openMember(
  server: RunningServer,
  { space, role }: { space: SpaceId; role: SpaceRole },
  globally?: Role,
  by?: 'link' | 'password',
): Promise<Browser> {
  const browser = await openBrowser(server, globally, by);
  await setSpaceRole(server.engine, 'operator', { space, user: browser.user.id, role });
  return browser;
}

/** A browser that is signed in with this cookie. `send` is `fetch` where a test is about a node that refuses to do more. */
export function browserAt(url: string, user: User, cookie: string, send = patientFetch): Browser {
  const call: Browser['call'] = (method, path, body, headers) =>
    send(`${url}${path}`, {
      method,
      headers: { cookie, origin: url, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return {
    user,
    cookie,
    call,
    show: (id) => json<ElicitationDetail>(call('GET', `/api/elicitations/${id}`)),
    vote: ({ id, digest }, parts) =>
      call('POST', `/api/elicitations/${id}/vote`, { action: 'accept', content: {}, digest, ...parts }),
    look: (id) =>
      json<ElicitationDetail>(call('POST', `/api/elicitations/${id}/look`, { reason: 'It is my turn to review.' })),
    at: (other) => browserAt(other, user, cookie, send),
  };
}
