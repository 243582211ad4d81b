import type { User } from '../../model/user.ts';
import { Problem } from '../../model/problem.ts';
import type { PolicyRecord, VersionRecord } from '../../store/policies.ts';
import type { Permission } from '../elicitation/permissions.ts';

type Standing = Pick<PolicyRecord, 'publishedVersion' | 'shadowVersion'>;
type Version = Pick<VersionRecord, 'version' | 'state' | 'authorId'>;

const yes: Permission = { allowed: true, reason: null };
const no = (reason: string): Permission => ({ allowed: false, reason });

/** The rule the console shows is the rule the verb holds: problem `not-now`, with the reason. */
export function mustBe({ allowed, reason }: Permission): void {
  if (!allowed) throw new Problem('not-now', reason === null ? {} : { detail: reason });
}

const forAdministrators = (user: User, rule: () => Permission): Permission =>
  user.role === 'admin' ? rule() : no('Only administrators change policies.');

export const mayEdit = (user: User, { state, authorId }: Version): Permission =>
  forAdministrators(user, () => {
    if (state !== 'draft') return no('A version that left its draft never changes. Write a new one.');
    return authorId === user.id ? yes : no('This is the draft of somebody else.');
  });

export const maySubmit = (user: User, version: Version): Permission =>
  forAdministrators(user, () => {
    if (version.state !== 'draft') return no('This version has been submitted already.');
    return version.authorId === user.id ? yes : no('This is the draft of somebody else.');
  });

/** Four eyes: nobody reviews what they wrote. */
export const mayReview = (user: User, { state, authorId }: Version): Permission =>
  forAdministrators(user, () => {
    if (state !== 'in-review') return no('This version is not in review.');
    return authorId === user.id ? no('A second person reviews what you wrote.') : yes;
  });

export const mayPublish = (user: User, { publishedVersion }: Standing, { version, state }: Version): Permission =>
  forAdministrators(user, () => {
    if (state !== 'approved') return no('Only an approved version is published.');
    if (version === publishedVersion) return no('This version is published.');
    // Going back is a new version, so that it is reviewed as of now.
    return version > (publishedVersion ?? 0) ? yes : no('A newer version is published. Restore this one instead.');
  });

export const mayRestore = (user: User, { publishedVersion }: Standing, { version, state }: Version): Permission =>
  forAdministrators(user, () => {
    if (version === publishedVersion) return no('This version is published.');
    return state === 'draft' ? no('This is a draft already.') : yes;
  });

/** Only what no longer changes can be watched: what nodes hold in memory must be what is stored. */
export const mayShadow = (user: User, { publishedVersion }: Standing, { version, state }: Version): Permission =>
  forAdministrators(user, () => {
    if (version === publishedVersion) return no('This version is published.');
    if (state === 'draft') return no('Submit it first: a draft may still change.');
    return state === 'rejected' ? no('This version was rejected.') : yes;
  });
