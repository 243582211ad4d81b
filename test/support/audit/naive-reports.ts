import type { StoredEvent } from '#audit/entries/rules/entry';
import type { ReportId } from '#audit/reports/contract/report';

type Entry = StoredEvent & Record<string, unknown>;
type Of<T> = Extract<StoredEvent, { type: T }>;

/** The answers to the usual questions from nothing but the entries of an export: of each row what tells it from others. */
export function naiveReports(log: StoredEvent[], ada: string, tool: string): Record<ReportId, string[]> {
  const entries = log as Entry[];
  const is = <T extends StoredEvent['type']>(type: T) =>
    entries.filter((entry) => entry.type === type) as unknown as Of<T>[];
  const opened = new Map(is('elicitation.opened').map((item) => [item.elicitation as string, item]));
  const ended = entries.filter((entry) => entry['from'] === 'open' && entry['to'] !== 'open');
  const approved = ended.filter((entry) => entry['to'] === 'accepted');
  const idOf = (entry: Entry): string => String(entry['elicitation']);
  const actorOf = ({ actor }: { actor: StoredEvent['actor'] }): string => ('id' in actor ? actor.id : '');
  const reads = entries.filter(({ type }) => type === 'access.read') as (Entry & { about: string[] })[];
  const voted = is('elicitation.voted');
  /** Never, if they did not. */
  const seenFirst = (request: string, person: string): number =>
    Math.min(
      ...reads.filter((item) => item.about[0] === request && actorOf(item) === person).map(({ at }) => Date.parse(at)),
    );
  const isQuick = (item: (typeof voted)[number]): boolean => {
    const seenAt = seenFirst(item.elicitation, actorOf(item));
    return seenAt <= Date.parse(item.at) && Date.parse(item.at) < seenAt + 5000;
  };
  const approvers = (request: string): string => countVoters(entries, request).join();
  const reviews = new Map(is('break-glass.reviewed').map((item) => [item.elicitation as string, Date.parse(item.at)]));
  const edited = is('elicitation.edited').map(idOf as never) as string[];
  const args = entries.filter(({ type, actor }) => type.startsWith('access.') && actor.kind === 'user');
  const aboutOf = (entry: Entry): string => {
    const [first] = (entry['about'] ?? [entry['elicitation']]) as string[];
    return first?.startsWith('eli_') ? first : '';
  };
  return {
    approvals: approved
      .filter((entry) => opened.get(idOf(entry))?.tool === tool)
      .map((entry) => `${idOf(entry)} ${approvers(idOf(entry))}`),
    requests: is('elicitation.opened')
      .filter(({ client, at }) => client === 'Night agent' && isNightInBerlin(at))
      .map(({ elicitation, client = '', requester, toolCall }) => {
        const end = ended.find((entry) => idOf(entry) === elicitation);
        const lapse = entries.find(
          (entry) => ['call.lapsed', 'call.revoked'].includes(entry.type) && entry['toolCall'] === toolCall,
        );
        return [elicitation, client, requester, end ? String(end['to']) : 'open', lapse?.type.slice(5) ?? ''].join(' ');
      }),
    'own-approvals': voted
      .filter(
        (item) =>
          item.keyMaker ??
          opened.get(item.elicitation)?.requesters.some((id) => [actorOf(item), item.for, item.issuer].includes(id)),
      )
      .map((item) => `${item.elicitation} ${item.keyMaker !== undefined}`),
    automatic: approved
      .filter(({ actor }) => actor.kind === 'policy')
      .map((entry) => {
        const grant = entry.actor.kind === 'policy' ? entry.actor.grant : undefined;
        const granting = voted.find((vote) => vote.grant !== undefined && vote.grant.id === grant);
        return `${idOf(entry)} ${grant ?? ''} ${granting === undefined ? '' : approvers(granting.elicitation)}`;
      }),
    overrides: is('elicitation.break-glass').map(
      (item) => `${item.elicitation} ${reviews.get(item.elicitation) ?? ''}`,
    ),
    edited: approved
      .map(idOf)
      .filter((id) => edited.includes(id))
      .map((id) => `${id} 2 ${approvers(id)}`),
    hasty: voted.filter(isQuick).map((item) => `${item.elicitation} ${Date.parse(item.at)}`),
    'could-approve': couldApprove(entries),
    readers: args
      .filter(({ type }) => ['access.read', 'access.looked', 'access.exported'].includes(type))
      .map((entry) => `${Date.parse(entry.at)} ${entry.type.slice(7)} ${aboutOf(entry)}`),
    'policy-changes': entries
      .filter(({ type }) => type.startsWith('policy.'))
      .map((entry) => `${Date.parse(entry.at)} ${entry.type.slice(7)} ${String(entry['policy']).replace('@', ' ')}`),
    access: args
      .filter((entry) => actorOf(entry) === ada)
      .map((entry) => `${Date.parse(entry.at)} ${entry.type.slice(7)} ${aboutOf(entry)}`),
  };
}

/** From 22 until 6, in summer time. */
const isNightInBerlin = (at: string): boolean => {
  const hour = (new Date(at).getUTCHours() + 2) % 24;
  return hour >= 22 || hour < 6;
};

/** Plays the votes of one request up to its end: everyone whose vote to accept stands then. */
export function countVoters(log: StoredEvent[], request: string): string[] {
  let votes: { by: string; for: string | undefined; issuer: string | undefined; stage: unknown }[] = [];
  for (const entry of (log as Entry[]).filter((item) => item['elicitation'] === request)) {
    const by = 'id' in entry.actor ? entry.actor.id : '';
    if (entry.type === 'elicitation.voted' && entry.action === 'accept')
      votes.push({ by, for: entry.for, issuer: entry.issuer, stage: entry['stage'] });
    if (entry.type === 'elicitation.vote-withdrawn')
      votes = votes.filter((vote) => vote.by !== by || vote.stage !== entry['stage']);
    if (entry.type === 'elicitation.votes-voided')
      votes = votes.filter(
        (vote) =>
          ![vote.by, vote.for, vote.issuer].includes(entry.user) || (entry.of !== undefined && vote.stage !== entry.of),
      );
    const reopens = entry['reopens'];
    if (reopens !== undefined) votes = votes.filter((vote) => Number(vote.stage) <= Number(reopens));
    if (entry.type === 'elicitation.edited') votes = [];
    if (entry.type === 'elicitation.escalated' && entry.restarts === true)
      votes = votes.filter((vote) => vote.stage !== entry['stage']);
    if (entry['from'] === 'open' && entry['to'] !== 'open') break;
  }
  return votes.map(({ by }) => by);
}

/** Plays the changes of people and groups. */
function couldApprove(entries: Entry[]): string[] {
  const people = new Map<string, { role: string; isDisabled: boolean; groups: Set<string> }>();
  for (const entry of entries) {
    if (entry.type === 'user.added')
      people.set(entry.user, { role: entry.role, isDisabled: false, groups: new Set(entry.groups) });
    if (entry.type === 'user.changed') {
      const person = people.get(entry.user)!;
      person.role = entry.changed.role ?? person.role;
      person.isDisabled = entry.changed.disabled ?? person.isDisabled;
    }
    if (entry.type === 'group.members-changed') {
      for (const id of entry.removed) people.get(id)?.groups.delete(entry.group);
      for (const id of entry.added) people.get(id)?.groups.add(entry.group);
    }
  }
  return [...people]
    .filter(([, { role, isDisabled }]) => role !== 'reviewer' && !isDisabled)
    .map(([id, { groups }]) => `${id} ${groups.size}`);
}
