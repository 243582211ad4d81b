import type { StoredEvent } from '../../entries/rules/entry.ts';
import { factsOf, type EntryFacts } from './facts.ts';
import type { ExportFile } from './file.ts';

/** The version of the Open Cybersecurity Schema Framework that the lines follow. */
const schemaVersion = '1.3.0';

/** Classes of that version: who signed in, what was changed about whom or what, and everything else. */
const classes = { authentication: 3002, entityManagement: 3004, apiActivity: 6003 } as const;
const activities = { create: 1, read: 2, update: 3, delete: 4 } as const;
const logon = 1;
const logoff = 2;
const severities = { informational: 1, medium: 3, high: 4 } as const;

/** Lines of JSON, one event each, with the whole entry under `unmapped`. */
export const createOcsfFile = (origin: string): ExportFile => ({
  begin: () => '',
  entry: (entry) => `${JSON.stringify(ocsfEvent(factsOf(entry), origin))}\n`,
  end: () => '',
});

function ocsfEvent(facts: EntryFacts, origin: string): object {
  const { event, index, at, isRefusal } = facts;
  const { kind, activity, ...parts } = partsOf(facts, origin);
  return {
    category_uid: Math.floor(kind / 1000),
    class_uid: kind,
    activity_id: activity,
    type_uid: kind * 100 + activity,
    time: at,
    severity_id: severityOf(facts),
    status_id: isRefusal ? 2 : 1,
    metadata: {
      version: schemaVersion,
      product: { name: 'Assentry', vendor_name: 'Assentry' },
      uid: event.id,
      event_code: event.type,
      log_name: origin,
      sequence: index,
    },
    actor: actorOf(facts),
    ...parts,
    unmapped: event,
  };
}

interface Parts {
  kind: number;
  activity: number;
  [part: string]: unknown;
}

function partsOf(facts: EntryFacts, origin: string): Parts {
  const { event } = facts;
  const service = { name: 'Assentry', uid: origin };
  if (isSignIn(event)) {
    const activity = event.type === 'user.signed-out' ? logoff : logon;
    return { kind: classes.authentication, activity, user: signedIn(event), service };
  }
  const entity = entityOf(event);
  if (entity) return { kind: classes.entityManagement, activity: activityOf(event.type), entity };
  return {
    kind: classes.apiActivity,
    activity: activityOf(event.type),
    api: { operation: event.type, service: { name: facts.server || 'Assentry' } },
    src_endpoint: service,
    resources: [
      { type: 'request', uid: facts.request },
      { type: 'tool', name: facts.tool },
      { type: 'policy', name: facts.policy },
    ].filter(({ uid, name }) => Boolean(uid ?? name)),
  };
}

const isSignIn = ({ type }: StoredEvent): boolean =>
  ['user.signed-in', 'user.signed-out', 'access.sign-in-failed'].includes(type);

function signedIn(event: StoredEvent): object {
  if (event.type === 'user.signed-in' || event.type === 'user.signed-out') return { uid: event.user };
  return { uid: (event.type === 'access.sign-in-failed' && event.about[0]) || 'unknown' };
}

/** The changed person, group or policy of an entry; otherwise null. */
function entityOf(event: StoredEvent): object | null {
  const [type] = event.type.split('.');
  if (type === 'user' && 'user' in event) return { type, uid: event.user };
  if (type === 'group' && 'group' in event) return { type, uid: event.group };
  return type === 'policy' && 'policy' in event ? { type, name: event.policy } : null;
}

function activityOf(type: string): number {
  const [subject, verb = ''] = type.split('.');
  if (subject === 'access') return activities.read;
  if (['opened', 'added', 'created', 'made', 'drafted', 'placed'].includes(verb)) return activities.create;
  return ['deleted', 'erased'].includes(verb) ? activities.delete : activities.update;
}

function actorOf({ event: { actor }, person, personName }: EntryFacts): object {
  if (person !== '') return { user: { uid: person, ...(personName !== '' && { name: personName }) } };
  const uid = 'id' in actor ? actor.id : actor.kind;
  return { app_name: actor.kind, app_uid: 'policy' in actor ? actor.policy : uid };
}

function severityOf({ event, isRefusal }: EntryFacts): number {
  if (event.type === 'elicitation.break-glass') return severities.high;
  return isRefusal || event.type === 'stop.made' ? severities.medium : severities.informational;
}
