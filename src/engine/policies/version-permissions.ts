import type { User } from '../../model/user.ts';
import { Problem } from '../../model/problem.ts';
import type { RefusalCode } from '../../model/refusal.ts';
import type { PolicyRecord, VersionRecord } from '../../store/policies.ts';
import type { Permission } from '../elicitation/permissions.ts';

type Standing = Pick<PolicyRecord, 'publishedVersion' | 'shadowVersion'>;
type Version = Pick<VersionRecord, 'version' | 'state' | 'authorId'>;

const yes: Permission = { allowed: true, refusal: null };
const no = (refusal: RefusalCode): Permission => ({ allowed: false, refusal });

/** The console shows the rule that the verb enforces: problem `not-now`, with the reason. */
export function mustBe({ refusal }: Permission): void {
  if (refusal !== null) throw new Problem('not-now', { refusal: { code: refusal } });
}

const forAdministrators = (user: User, rule: () => Permission): Permission =>
  user.role === 'admin' ? rule() : no('administrators-change-policies');

export const mayEdit = (user: User, { state, authorId }: Version): Permission =>
  forAdministrators(user, () => {
    if (state !== 'draft') return no('not-a-draft');
    return authorId === user.id ? yes : no('draft-of-other');
  });

export const maySubmit = (user: User, version: Version): Permission =>
  forAdministrators(user, () => {
    if (version.state !== 'draft') return no('already-submitted');
    return version.authorId === user.id ? yes : no('draft-of-other');
  });

/** Four eyes: no one reviews what they wrote. */
export const mayReview = (user: User, { state, authorId }: Version): Permission =>
  forAdministrators(user, () => {
    if (state !== 'in-review') return no('not-in-review');
    return authorId === user.id ? no('own-version') : yes;
  });

export const mayPublish = (user: User, { publishedVersion }: Standing, { version, state }: Version): Permission =>
  forAdministrators(user, () => {
    if (state !== 'approved') return no('not-approved');
    if (version === publishedVersion) return no('is-published');
    // A rollback is a new version, so that it is reviewed.
    return version > (publishedVersion ?? 0) ? yes : no('newer-published');
  });

export const mayRestore = (user: User, { publishedVersion }: Standing, { version, state }: Version): Permission =>
  forAdministrators(user, () => {
    if (version === publishedVersion) return no('is-published');
    return state === 'draft' ? no('is-draft') : yes;
  });

/** Only a version that no longer changes can run in shadow mode: nodes hold it in memory. */
export const mayShadow = (user: User, { publishedVersion }: Standing, { version, state }: Version): Permission =>
  forAdministrators(user, () => {
    if (version === publishedVersion) return no('is-published');
    if (state === 'draft') return no('submit-first');
    return state === 'rejected' ? no('was-rejected') : yes;
  });
