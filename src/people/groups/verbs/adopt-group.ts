import type { GroupId } from '#platform/model/id';
import { Problem } from '#platform/model/problem/problem';
import type { Alone } from '../../directory/contract/user.ts';
import {
  isAdopted as isAdoptedGroup,
  type DirectoryRecord,
} from '../../directory/store/directory-record/directory-record.ts';
import { assertMay } from '#policies/deciding/verbs/rules/assert-may';
import {
  changeDirectory,
  outdatedChange,
  type Administrator,
  type DecidedChange,
} from '../../directory/verbs/directory/change-directory.ts';
import type { GroupEngine } from './change-group.ts';
import { groupIn } from '../../directory/verbs/directory/in-directory.ts';
import { assertGroupNotNamed } from './assert-group-not-named.ts';
import { assertNotOwnAdoption } from '../../directory/verbs/directory/own-power.ts';

export interface Adoption {
  id: GroupId;
  /** False: it counts for nothing again. */
  adopted: boolean;
}

/**
 * Lets a group that an identity provider has made count in policies, or no longer. Until an administrator adopts it, neither its name nor
 * its members fit any policy. Problem `not-now` for a group that no provider has made, and to end it while a policy in force names it.
 */
export async function adoptGroup(
  engine: GroupEngine,
  by: Administrator,
  { id, adopted }: Adoption,
): Promise<Alone | null> {
  assertMay(by, 'change-directory');
  const { name } = groupIn(await engine.directory.read(), id);
  const also = adopted ? {} : { also: await assertGroupNotNamed(engine, name) };
  return changeDirectory(engine, by, (directory) => {
    const group = groupIn(directory, id);
    if (group.provisioned === null) throw new Problem('not-now', { refusal: { code: 'group-not-provisioned' } });
    if (group.name !== name) throw outdatedChange();
    if (isAdoptedGroup(group) === adopted) return null;
    assertNotOwnAdoption(directory, by, group, adopted);
    return { ...adoptionChange(id, adopted ? null : engine.now()), ...also };
  });
}

const adoptionChange = (id: GroupId, unadoptedSince: number | null): DecidedChange => ({
  write: { type: 'group-adoption', id, unadoptedSince },
  event: { type: unadoptedSince === null ? 'group.adopted' : 'group.adoption-ended', group: id },
});

/** Under another name other policies may fit it, so an administrator adopts it again; null if it waits already. */
export function endedByRenaming(directory: DirectoryRecord, id: GroupId, now: number): DecidedChange | null {
  return isAdoptedGroup(groupIn(directory, id)) ? adoptionChange(id, now) : null;
}
