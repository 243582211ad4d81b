import { createECDH, randomBytes } from 'node:crypto';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import type { RouteContract } from '#platform/http/contract/openapi';
import { requestChange } from '#people/changes/verbs/changes';
import { applyPolicies, changing, planPolicies } from '#policies/verbs/apply';
import { addGroup } from '#people/groups/verbs';
import { addSpace } from '#people/spaces/verbs';
import { addRole } from '#people/roles/verbs';
import { delegate } from '#people/delegations/verbs';
import { autoKeyOf } from '#connect/auto/rules';
import { makeLink, openLink, storeCredential } from '#connect/credentials/verbs';
import type { ElicitationId, ServerId, UserId } from '#platform/model/id';
import { saveView } from '#requests/inbox/verbs/saved-views';
import { addDevice } from '#notify/push/verbs';
import { stopCalls } from '#requests/stops/verbs';
import { addConnection, addSecret } from '../connect/stored-connection.ts';
import type { Asking } from '../nodes/asking.ts';
import { openBrowser } from '../nodes/console.ts';
import { allowForAnHour } from './grant.ts';
import { addPassedCall } from './passed-call.ts';
import type { TestServer } from '../nodes/server.ts';

/** The issuer of servers that a path names. */
export const namedIssuer = 'https://issuer.example.com';

/** One real thing of each kind that a path can name. */
export interface NamedThings {
  elicitation: string;
  /** One that has ended. */
  ended: string;
  /** One without its content. */
  erased: string;
  toolCall: string;
  user: string;
  group: string;
  server: string;
  delegation: string;
  grant: string;
  kid: string;
  stop: string;
  hold: string;
  webhook: string;
  device: string;
  session: string;
  credential: string;
  connection: string;
  secret: string;
  savedView: string;
  space: string;
  role: string;
  report: string;
  /** Of a call that passed. */
  entry: string;
  /** A change that waits for a second administrator. */
  change: string;
}

export async function nameThings(server: TestServer, asking: Asking, opened: OpenedElicitation): Promise<NamedThings> {
  const { engine } = server;
  const { user } = await openBrowser(server);
  const other = await openBrowser(server);
  const group = await addGroup(engine, 'operator', { name: 'Named' });
  const { id } = await delegate(engine, user, { toId: other.user.id, endsAt: engine.now() + 60_000 });
  await applyPolicies(engine, [
    `policy: ${policyName}\nmatch: { tool: nothing }\nrequire: { stages: [{ name: One, approvers: anyone }] }\n`,
  ]);
  const { servers } = await engine.directory.read();
  const [owned] = servers;
  const asker = servers.find(({ name }) => name === 'payments') ?? { id: 'srv_' as const, name: '' };
  const ended = await asking.open();
  await asking.call('POST', `/v1/elicitations/${ended.id}/cancel`, {});
  return {
    elicitation: opened.id,
    toolCall: opened.toolCall,
    user: user.id,
    group,
    server: owned?.id ?? '',
    ended: ended.id,
    erased: await eraseOne(server, asking),
    delegation: id,
    kid: (await engine.servers.keys())[0]?.kid ?? '',
    grant: (await allowForAnHour(server, other)).grant,
    stop: (await stopCalls(engine, 'operator', { tool: 'stopped', reason: 'For a test.' })).id,
    hold: (await server.placeHold(holdRequest)).id,
    webhook: (await server.webhooks.add('https://192.0.2.1/named')).id,
    device: (await addDevice(engine, user.id, pushTarget())).id,
    session: (await engine.users.openSessions(user.id, { now: engine.now(), idle: 60_000 }))[0]?.id ?? '',
    credential: await nameCredential(server, user.id, asker),
    connection: await addConnection(server, { serverId: asker.id, userId: user.id, person: named }),
    secret: await addSecret(server, { serverId: asker.id, userId: user.id, person: named }),
    savedView: (await saveView(engine, user, { name: 'Named', filters: { view: 'all' }, isShared: false })).id,
    space: await addSpace(engine, 'operator', `Named ${user.id}`),
    role: await addRole(engine, 'operator', { name: 'named-role', permissions: ['stop-calls'] }),
    report: 'approvals',
    entry: await addPassedCall(server, asker),
    change: await askForChange(server),
  };
}

/** Policies from files wait for a second administrator in a trial as well. */
async function askForChange(server: TestServer): Promise<string> {
  const { user } = await openBrowser(server, 'admin');
  const documents = ['policy: asked-policy\nmatch: { tool: nothing }\nallow: {}\n'];
  const policies = changing(await planPolicies(server.engine, documents));
  return (await requestChange(server.engine, user, 'apply-policies', { policies })).waits ?? '';
}

const named = { issuer: 'https://id.example.com', subject: 'named' };

/** What this person has entered for this server. */
async function nameCredential(
  { engine }: TestServer,
  user: UserId,
  of: { id: ServerId; name: string },
): Promise<string> {
  const { url } = await makeLink(engine, of, named);
  await storeCredential(engine, user, await openLink(engine, url.split('/credentials/')[1] ?? ''), 'named');
  return (await engine.credentials.list(user))[0]?.id ?? '';
}

/** A browser that no push service knows. */
function pushTarget() {
  const keys = createECDH('prime256v1').generateKeys('base64url');
  const auth = randomBytes(16).toString('base64url');
  return { endpoint: 'https://192.0.2.1/named', keys: { p256dh: keys, auth }, agent: 'A test' };
}

/** A request whose result was delivered, and whose content was erased. */
async function eraseOne(server: TestServer, asking: Asking): Promise<string> {
  const { id, digest, toolCall } = await asking.open();
  const voter = await openBrowser(server);
  await voter.vote({ id, digest });
  await asking.claim(toolCall, 'a');
  await asking.call('POST', `/v1/tool-calls/${toolCall}/complete`, { attempt: 'a', delivered: true });
  await server.eraseContent({ request: id as ElicitationId, of: 'request', ground: 'asked' });
  return id;
}

const policyName = 'named-policy';
const holdRequest = { scope: 'server', request: null, server: 'payments', reason: 'For a test.' } as const;

const kinds: [string, keyof NamedThings][] = [
  ['/receipt', 'ended'],
  ['/tool-calls/', 'toolCall'],
  ['/spaces/', 'space'],
  ['/roles/', 'role'],
  ['/users/', 'user'],
  ['/groups/', 'group'],
  ['/servers/', 'server'],
  ['/delegations/', 'delegation'],
  ['/grants/', 'grant'],
  ['/stops/', 'stop'],
  ['/holds/', 'hold'],
  ['/webhooks/', 'webhook'],
  ['/devices/', 'device'],
  ['/sessions/', 'session'],
  ['/credentials/', 'credential'],
  ['/connections/', 'connection'],
  ['/secrets/', 'secret'],
  ['/changes/', 'change'],
  ['/erased', 'erased'],
  ['/erase', 'ended'],
  ['/views/', 'savedView'],
  ['/passed-calls/', 'entry'],
  ['/reports/', 'report'],
];

/** The route's path with things that are there; tokens are well formed and no one's. */
export function fillPath({ path }: RouteContract, things: NamedThings): string {
  const kind = kinds.find(([part]) => path.includes(part))?.[1] ?? 'elicitation';
  return path
    .replace('{id}', things[kind])
    .replace('{user}', things.user)
    .replace('{name}', policyName)
    .replace('{version}', '1')
    .replace('{kid}', things.kid)
    .replace('{level}', 'entries')
    .replace('{tile}', '000.p/1')
    .replace('{code}', 'forbidden')
    .replace('{provider}', 'acme')
    .replace('{issuer}', autoKeyOf(namedIssuer))
    .replace('{token}', 'v1.k1.AAAA.BBBB');
}
