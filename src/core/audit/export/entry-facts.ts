import { readEntry, type StoredEvent } from '../entry.ts';
import type { ExportedEntry } from './export-file.ts';

/** What tools for tables and alarms want to know of an entry, as text; empty if it does not apply. */
export interface EntryFacts {
  event: StoredEvent;
  index: number;
  /** Milliseconds since 1970. */
  at: number;
  person: string;
  personName: string;
  request: string;
  server: string;
  tool: string;
  policy: string;
  outcome: string;
  digest: string;
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
  return {
    event,
    index,
    at: Date.parse(event.at),
    person,
    personName: names.get(person) ?? '',
    request: textOf('elicitation'),
    server: textOf('serverName') || (server ?? ''),
    tool: textOf('tool') || (tool ?? ''),
    policy: textOf('policy'),
    outcome: textOf('to'),
    digest: textOf('digest'),
    isRefusal: event.type === 'access.refused' || event.type === 'access.sign-in-failed',
  };
}
