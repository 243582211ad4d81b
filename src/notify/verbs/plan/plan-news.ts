import type { UserId } from '#platform/model/id';
import type { NotificationKind } from '../../contract/notification/notification.ts';
import { isAdministrator } from '#people/directory/contract/permission';
import { policyPin } from '#policies/contract/policy';
import type { User } from '#people/directory/contract/user';
import { revealAsText } from '#platform/text/visible-text/visible-text';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { mayReview } from '#policies/verbs/simulate/version-permissions';
import { confirmersOf, groupsDue } from '#people/groups/verbs/confirm-group';
import { keysToRotate } from '#access/keys/verbs/keys';
import { peopleIn } from '../plan-notices/notice-facts.ts';
import { inTheirTime, placesOf } from './places.ts';

export type NewsKind = Extract<NotificationKind, 'review' | 'key' | 'tool' | 'members' | 'report'>;

/** Notifications that are about no request. */
interface News {
  kind: NewsKind;
  /**
   * The version of the policy, the id of the key, the tool and the digest of its new definition, the group and when its
   * members leave, or the request and whether it had ended.
   */
  occasion: string;
  /** What it is about, in a name: the version, the server, the tool, or the group. */
  subject: string;
  /** Where to go in the console. */
  path: string;
}

/** Where news come from. */
export type NewsSource = 'callbackReports' | 'policies' | 'servers' | 'serverTools' | 'directory' | 'rules' | 'now';

type NewsEngine = Pick<Engine, NewsSource | 'notifications' | 'devices' | 'sendsMails' | 'users'>;

/**
 * Makes due what there is to tell: a policy waits for a person's review, a key of their server expires soon, one of
 * its tools is described in another way than was accepted, a service reported what none of its calls got, or members of a
 * group leave soon. Each is
 * stored once, so any number of nodes may do so at once.
 */
export async function planNews(engine: NewsEngine): Promise<void> {
  const { directory } = await engine.rules.users();
  const people = peopleIn(directory);
  const news = await readNews(engine);
  const addressed = news.flatMap((item) =>
    people.filter((user) => item.isFor(user)).map((user) => ({ ...item, user })),
  );
  if (addressed.length === 0) return;
  const places = await placesOf(engine);
  const notices = addressed.flatMap(({ user: { id }, kind, occasion }) =>
    places.filter((place) => place.user === id).map((place) => ({ ...place, elicitationId: null, kind, occasion })),
  );
  const at = engine.now();
  await engine.notifications.add(await inTheirTime(engine, notices, at), at);
}

/** The news of this kind and occasion, if it is still true and this person's to know; otherwise null. */
export async function newsFor(
  engine: Pick<NewsEngine, NewsSource | 'users'>,
  id: UserId,
  { kind, occasion }: Pick<News, 'occasion'> & { kind: string },
): Promise<News | null> {
  const user = await engine.users.byId(id);
  const news = await readNews(engine);
  const item = news.find((item) => item.kind === kind && item.occasion === occasion);
  return user && item?.isFor(user) ? item : null;
}

/** Milliseconds for which a report that no call got is news: a week, as it is a warning. */
const reportsFor = 604_800_000;

type AddressedNews = News & { isFor(user: User): boolean };

async function readNews(engine: Pick<NewsEngine, NewsSource>): Promise<AddressedNews[]> {
  const users = await engine.rules.users();
  const { directory } = users;
  const versions = await engine.policies.inReview();
  const { expiring: keys } = await keysToRotate(engine);
  const tools = await engine.serverTools.changed();
  const record = await engine.directory.read();
  const reports = await engine.callbackReports.untaken(engine.now() - reportsFor);
  const ownerOf = (name: string) => directory.servers.find((server) => server.name === name)?.ownerId ?? null;
  return [
    ...versions.map((version) => {
      const pin = policyPin(version.name, version.version);
      const path = `/policies/${encodeURIComponent(version.name)}`;
      const isFor = (user: User) => mayReview(users, user, version, directory.accounts);
      return { kind: 'review', occasion: pin, subject: pin, path, isFor } as const;
    }),
    ...keys.map(({ kid, server: { name } }) => {
      const isFor = (user: User) => user.id === ownerOf(name);
      return { kind: 'key', occasion: kid, subject: name, path: '/settings/servers', isFor } as const;
    }),
    ...tools.map(({ server, serverName, tool, changed }) => {
      const isFor = (user: User) => user.id === ownerOf(serverName);
      const subject = `${revealAsText(tool)} (${serverName})`;
      return {
        kind: 'tool',
        occasion: `${server} ${tool} ${changed}`,
        subject,
        path: `/settings/servers/${server}`,
        isFor,
      } as const;
    }),
    ...reports.map(({ elicitation, tool, serverName, isLate }) => {
      const owner = ownerOf(serverName);
      const isFor = (user: User) => (owner === null ? isAdministrator(user) : user.id === owner);
      const occasion = `${elicitation} ${isLate ? 'late' : 'unfit'}`;
      const subject = `${revealAsText(tool)} (${serverName})`;
      return { kind: 'report', occasion, subject, path: `/requests/${elicitation}`, isFor } as const;
    }),
    ...groupsDue(record).map((group) => {
      const confirmers = confirmersOf(record, group);
      const isFor = (user: User) => confirmers.includes(user.id);
      const occasion = `${group.id} ${group.lapsesAt}`;
      return { kind: 'members', occasion, subject: group.name, path: `/settings/groups/${group.id}`, isFor } as const;
    }),
  ];
}
