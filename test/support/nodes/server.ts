import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { hashPassword } from '#access/passwords/rules/passwords';
import { newId } from '#platform/crypto/random';
import type { Engine } from '#platform/nodes/verbs/engine';
import { changeDirectory } from '#people/directory/verbs/directory';
import { byPassword } from '#access/passwords/verbs';
import { startSession } from '#access/sign-in/verbs/sessions';
import type { User } from '#people/directory/contract/user';
import type { Role } from '#people/directory/contract/permission';
import { untilAllSettled } from '#sdk/mcp/run/settlements';
import { startServer, type RunningServer, type ServerOptions } from '#server/server';
import { freshDatabase } from '../databases/database.ts';
import { nodeUrl } from '../databases/node-login.ts';
import { json } from '../json.ts';
import { patientFetch } from './patient-fetch.ts';

export interface TestUser {
  id: string;
  name: string;
  email: string;
  password: string;
  cookie: string;
  /** Calls the console API as this person's browser would. */
  call(method: string, path: string, body?: unknown): Promise<Response>;
  show(id: string): Promise<ElicitationDetail>;
  /** Votes on what the person sees now. */
  vote(id: string, action: 'accept' | 'decline', content?: Record<string, unknown>): Promise<Response>;
}

export interface TestServer extends RunningServer {
  databaseUrl: string;
  newServerKey(name?: string): Promise<string>;
  newUser(role?: Role): Promise<TestUser>;
}

export const testSecrets = [{ kid: 'test', secret: 'a-secret-for-tests-of-enough-characters' }];
const password = 'seven quiet otters paint';

/** A real server on a database of its own; `stop` removes both. */
export async function startTestServer(options: Partial<ServerOptions> = {}): Promise<TestServer> {
  const database = options.databaseUrl ? null : await freshDatabase();
  const databaseUrl = options.databaseUrl ?? database?.url ?? '';
  const server = await startServer({ ...quietly(options), databaseUrl: nodeUrl(databaseUrl) });
  const stop = async (): Promise<void> => {
    await untilAllSettled(); // else a tool's server in this process would report its end for ten seconds
    await server.stop();
    await database?.drop();
  };
  let users = 0;
  return {
    ...server,
    stop,
    databaseUrl,
    newServerKey: (name = 'payments') => server.createServerKey(name),
    async newUser(role = 'approver') {
      const name = `Person ${++users}`;
      const email = `person${users}-${Date.now()}@example.com`;
      const user: User = { kind: 'user', id: newId('user'), name, email, role };
      const cookie = await admit(server.engine, user);
      return visitorAt(server.url, user, cookie);
    },
  };
}

/** A node or command at the database that it is given, without a word. */
export const silentNode = {
  host: '127.0.0.1',
  port: 0,
  publicUrl: null,
  dataDirectory: null,
  databasePort: null,
  logLevel: 'silent',
} as const;

const quiet = {
  ...silentNode,
  environment: 'trial',
  secondFactor: 'optional', // in production too, people sign in with one step, unless a test says otherwise
  limits: { perServer: 1e6, perRequester: 1e6, perApprover: 1e6 },
  rates: { opened: 1e6, calls: 1e6, streams: 1e6, inProgress: 1e6, inProgressPerCaller: 1e6 },
  secrets: testSecrets,
} as const;

/** In production too, people vote at once, unless a test says otherwise. */
const quietly = (options: Partial<ServerOptions>) => ({
  ...quiet,
  ...options,
  defaults: { readingTime: 0, ...options.defaults },
});

/** A node on exactly this address, whatever login it names. */
export const startAs = (databaseUrl: string, options: Partial<ServerOptions> = {}): Promise<RunningServer> =>
  startServer({ ...quietly(options), databaseUrl });

/** Adds the person as the terminal would, and signs them in: the one password of all tests is hashed once. */
export async function admit(engine: Engine, { kind, ...row }: User): Promise<string> {
  const passwordHash = await (hashing ??= hashPassword(password));
  await changeDirectory(engine, 'operator', () => ({
    write: { type: 'new-user', user: { ...row, passwordHash } },
    event: { type: 'user.added', user: row.id, role: row.role },
  }));
  const session = await startSession(engine, { kind, ...row }, byPassword, { passwordHash });
  return `assentry=${session?.secret}`;
}

let hashing: Promise<string> | undefined;

/** Signs the person in at this node, by the route. */
export async function signIn(url: string, user: KnownUser): Promise<TestUser> {
  const headers = { 'content-type': 'application/json', origin: url };
  const body = JSON.stringify({ email: user.email, password });
  const response = await fetch(`${url}/api/session`, { method: 'POST', headers, body });
  if (!response.ok) throw new TypeError(`sign-in failed: ${response.status} ${await response.text()}`);
  return visitorAt(url, user, cookieOf(response) ?? '');
}

type KnownUser = Pick<TestUser, 'id' | 'name' | 'email'>;

function visitorAt(url: string, { id, name, email }: KnownUser, first: string): TestUser {
  const headers = { 'content-type': 'application/json', origin: url };
  let cookie = first;
  const call: TestUser['call'] = async (method, path, sent) => {
    const answer = await patientFetch(`${url}${path}`, {
      method,
      headers: { ...headers, cookie },
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
    });
    if (path === '/api/session/confirm') cookie = cookieOf(answer) ?? cookie;
    return answer;
  };
  const show = (id: string): Promise<ElicitationDetail> =>
    json<ElicitationDetail>(call('GET', `/api/elicitations/${id}`));
  return {
    id,
    name,
    email,
    password,
    cookie,
    call,
    show,
    async vote(id, action, content) {
      const shown = await call('GET', `/api/elicitations/${id}`);
      if ([429, 503].includes(shown.status)) return shown; // a node that is full refuses the page as it would the vote
      const { digest } = (await shown.json()) as ElicitationDetail;
      const comment = action === 'decline' ? { comment: 'not now' } : {};
      return call('POST', `/api/elicitations/${id}/vote`, { action, digest, ...(content && { content }), ...comment });
    },
  };
}

const cookieOf = ({ headers }: Response): string | undefined => headers.get('set-cookie')?.split(';')[0];
