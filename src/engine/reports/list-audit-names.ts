import type { User } from '../../model/user.ts';
import { assertMay } from '../assert-may.ts';
import type { Engine } from '../engine.ts';

/** The names that questions and searches can be narrowed by, for administrators and reviewers. */
export async function listAuditNames({ inbox, askedNames }: Pick<Engine, 'inbox' | 'askedNames'>, user: User) {
  assertMay(user, 'read-log');
  const [facets, clients] = await Promise.all([inbox.facets(), askedNames.clients()]);
  return { ...facets, clients };
}
