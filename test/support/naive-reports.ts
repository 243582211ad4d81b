import type { StoredEvent } from '../../src/audit/entry.ts';
import type { ReportId } from '../../src/model/report.ts';

type Entry = StoredEvent & Record<string, unknown>;
type Of<T> = Extract<StoredEvent, { type: T }>;

/** The answers to the usual questions from nothing but the entries of an export: of each row what tells it from others. */
export function naiveReports(log: StoredEvent[], ada: string, tool: string): Record<ReportId, string[]> {
  const entries = log as Entry[];
  const is = <T extends StoredEvent['type']>(type: T) =>
    entries.filter((one) => one.type === type) as unknown as Of<T>[];
  const opened = new Map(is('elicitation.opened').map((one) => [one.elicitation as string, one]));
  const ended = entries.filter((one) => one['from'] === 'open' && one['to'] !== 'open');
  const approved = ended.filter((one) => one['to'] === 'accepted');
  const idOf = (one: Entry): string => String(one['elicitation']);
  const actorOf = ({ actor }: { actor: StoredEvent['actor'] }): string => ('id' in actor ? actor.id : '');
  const reads = entries.filter(({ type }) => type === 'access.read') as (Entry & { about: string[] })[];
  const voted = is('elicitation.voted');
  /** Never, if they did not. */
  const seenFirst = (request: string, person: string): number =>
    Math.min(
      ...reads.filter((one) => one.about[0] === request && actorOf(one) === person).map(({ at }) => Date.parse(at)),
    );
  const isQuick = (one: (typeof voted)[number]): boolean => {
    const seenAt = seenFirst(one.elicitation, actorOf(one));
    return seenAt <= Date.parse(one.at) && Date.parse(one.at) < seenAt + 5000;
  };
  const reviews = new Map(is('break-glass.reviewed').map((one) => [one.elicitation as string, Date.parse(one.at)]));
  const edited = is('elicitation.edited').map(idOf as never) as string[];
  const given = entries.filter(({ type, actor }) => type.startsWith('access.') && actor.kind === 'user');
  const aboutOf = (one: Entry): string => {
    const [first] = (one['about'] ?? [one['elicitation']]) as string[];
    return first?.startsWith('eli_') ? first : '';
  };
  return {
    approvals: approved.filter((one) => opened.get(idOf(one))?.tool === tool).map(idOf),
    'own-approvals': voted
      .filter((one) => opened.get(one.elicitation)?.requesters.some((id) => id === actorOf(one) || id === one.for))
      .map((one) => one.elicitation),
    automatic: approved
      .filter(({ actor }) => actor.kind === 'policy')
      .map((one) => `${idOf(one)} ${one.actor.kind === 'policy' ? (one.actor.grant ?? '') : ''}`),
    overrides: is('elicitation.break-glass').map((one) => `${one.elicitation} ${reviews.get(one.elicitation) ?? ''}`),
    edited: approved
      .map(idOf)
      .filter((id) => edited.includes(id))
      .map((id) => `${id} 2`),
    hasty: voted.filter(isQuick).map((one) => `${one.elicitation} ${Date.parse(one.at)}`),
    'could-approve': couldApprove(entries),
    readers: given
      .filter(({ type }) => ['access.read', 'access.looked', 'access.exported'].includes(type))
      .map((one) => `${Date.parse(one.at)} ${one.type.slice(7)} ${aboutOf(one)}`),
    'policy-changes': entries
      .filter(({ type }) => type.startsWith('policy.'))
      .map((one) => `${Date.parse(one.at)} ${one.type.slice(7)} ${String(one['policy']).replace('@', ' ')}`),
    access: given
      .filter((one) => actorOf(one) === ada)
      .map((one) => `${Date.parse(one.at)} ${one.type.slice(7)} ${aboutOf(one)}`),
  };
}

/** Plays the changes of people and groups. */
function couldApprove(entries: Entry[]): string[] {
  const people = new Map<string, { role: string; isDisabled: boolean; groups: Set<string> }>();
  for (const one of entries) {
    if (one.type === 'user.added')
      people.set(one.user, { role: one.role, isDisabled: false, groups: new Set(one.groups) });
    if (one.type === 'user.changed') {
      const person = people.get(one.user)!;
      person.role = one.changed.role ?? person.role;
      person.isDisabled = one.changed.disabled ?? person.isDisabled;
    }
    if (one.type === 'group.members-changed') {
      for (const id of one.removed) people.get(id)?.groups.delete(one.group);
      for (const id of one.added) people.get(id)?.groups.add(one.group);
    }
  }
  return [...people]
    .filter(([, { role, isDisabled }]) => role !== 'reviewer' && !isDisabled)
    .map(([id, { groups }]) => `${id} ${groups.size}`);
}
