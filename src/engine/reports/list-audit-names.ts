import type { User } from '../../model/user.ts';
import type { Engine } from '../engine.ts';
import { refuseApprover } from '../log/read-log.ts';

/** The names that questions and searches can be narrowed by, for administrators and reviewers. */
export async function listAuditNames({ inbox, askedNames }: Pick<Engine, 'inbox' | 'askedNames'>, user: User) {
  refuseApprover(user);
  const [facets, clients] = await Promise.all([inbox.facets(), askedNames.clients()]);
  return { ...facets, clients };
}
