import { isId } from '#platform/model/id';
import { readEntry, type StoredEvent } from '../../entries/rules/entry.ts';
import type { ExportedEntry } from './file.ts';

/** The columns of an entry for tables and alarms, as text; empty where one does not apply. */
export interface EntryFacts {
  event: StoredEvent;
  index: number;
  /** Milliseconds since 1970. */
  at: number;
  person: string;
  personName: string;
  /** The person whom it is about, if not a request. */
  subject: string;
  subjectName: string;
  /** Also the one that was read, exported or refused. */
  request: string;
  /** Its name; the id where the entry has no name of it. */
  server: string;
  tool: string;
  policy: string;
  outcome: string;
  digest: string;
  /** The code of a refusal, or what was read. */
  what: string;
  /** Whether someone was refused. */
  isRefusal: boolean;
}

export function factsOf({ index, body, server, tool, names }: ExportedEntry): EntryFacts {
  const event = readEntry(body);
  const textOf = (name: string): string => {
    const value: unknown = Object.entries(event).find(([key]) => key === name)?.[1];
    return typeof value === 'string' ? value : '';
  };
  const person = event.actor.kind === 'user' ? event.actor.id : '';
  const subject = textOf('user');
  return {
    event,
    index,
    at: Date.parse(event.at),
    person,
    personName: names.get(person) ?? '',
    subject,
    subjectName: names.get(subject) ?? '',
    request: textOf('elicitation') || requestIn(event),
    server: textOf('serverName') || (server ?? textOf('server')),
    tool: textOf('tool') || (tool ?? ''),
    policy: textOf('policy'),
    outcome: 'revision' in event ? event.to : '',
    digest: textOf('digest'),
    what: textOf('what'),
    isRefusal: event.type === 'access.refused' || event.type === 'access.sign-in-failed',
  };
}

/** The request whose page was opened, or whose content was taken or refused. */
function requestIn(event: StoredEvent): string {
  const [first = ''] = 'about' in event ? event.about : [];
  return isId('elicitation', first) ? first : '';
}
