/**
 * Why a person may not do something, with the English sentence; `{name}` stands for a value. A key never changes its
 * meaning: the console and the hosted pages word it in the reader's language.
 */
export const refusalSentences = {
  'acr-needed': 'Sign in at your identity provider again: the policy needs one that it confirms as {acr}.',
  'has-ended': 'This request has ended.',
  'approvers-decide': 'Only administrators and approvers can decide requests.',
  'requester-answers': 'The person at the MCP client answers this request.',
  'is-requester': 'You can’t decide this: you requested it.',
  'is-excluded': 'You can’t decide this: the policy excludes you.',
  'for-requester': 'You can’t decide this: someone your vote also counts for requested it.',
  'for-voter':
    'Someone your vote also counts for has already voted: the person you vote for, or the one who set up your sign-in.',
  'has-voted': 'You’ve already voted.',
  'approved-by-you': 'You already approved this request.',
  'declined-by-you': 'You already declined this request.',
  'approved-by-other': '{name} approved this request before you.',
  'declined-by-other': '{name} declined this request before you.',
  'other-stage': 'This stage is for other approvers.',
  'waits-for-start': 'Everyone has approved; the request is waiting for its start time.',
  'longest-deadline': 'A request can stay open for 30 days at most.',
  'no-vote-here': 'You haven’t voted on this request.',
  'revoke-approved': 'Only an approval can be revoked.',
  'revoke-own': 'Only those who approved this, or an administrator, can revoke it.',
  'already-lapsed': 'This approval was already revoked, or was no longer valid when it was used.',
  'has-begun': 'The call has already started or ended.',
  'lift-by-other': 'Someone else must lift your stop.',
  'already-lifted': 'This stop has already been lifted.',
  'content-held': 'A legal hold keeps this content. Two administrators can release the hold.',
  'content-needed':
    'This content is still needed: the request is open, its answer can still be fetched, a standing approval rests on it, or its emergency override has not been reviewed.',
  'nothing-to-erase': 'There is no content to erase.',
  'hold-released': 'This legal hold has already been released.',
  'edits-not-allowed': 'The policy doesn’t allow edits to this request, or its tool doesn’t accept them.',
  'too-many-stages': 'This request already has as many stages as it can have.',
  'watched-by-other': 'Someone else is already reviewing this.',
  'inquiry-open': 'A question to the requester is still open.',
  'discussion-full': 'This discussion has reached its limit.',
  'no-start': 'The policy doesn’t set a start time.',
  'needs-break-glass': 'Only people with the emergency override permission can do this.',
  'reviewers-judge': 'Only administrators and reviewers can do this.',
  'decided-by-policy': 'This request was decided by its policy.',
  'not-sampled': 'This request was not chosen for a later look.',
  'own-override': 'Someone else must review your own override.',
  'own-request': 'Someone else must review what you requested.',
  'already-reviewed': 'This has already been reviewed.',
  'not-delegated': 'No one has delegated their vote on this request to you.',
  'high-risk-alone': 'Decide high-risk requests one at a time.',
  'presence-alone': 'Approve this on its own page: its policy asks for a proof of who approves.',
  'no-votes-to-delegate': 'Your role has no vote to delegate.',
  'no-review-due': 'This standing approval needs no review.',
  'not-in-force': 'This standing approval is no longer in force.',
  'receipt-when-ended': 'The receipt is available once the request has ended.',
  'receipt-soon': 'Try again in a moment: the log is still recording this decision.',
  'authors-change-policies': 'Only administrators and policy authors can change policies.',
  'administrators-publish': 'Only administrators can publish policies.',
  'not-a-draft': 'Only drafts can be edited. Write a new version.',
  'draft-of-other': 'This draft belongs to someone else.',
  'already-submitted': 'This version has already been submitted.',
  'not-in-review': 'This version isn’t in review.',
  'own-version': 'Someone else must review what you wrote.',
  'not-approved': 'Only an approved version can be published or run in shadow mode.',
  'is-published': 'This version is already published.',
  'newer-published': 'A newer version is published. Restore this one instead.',
  'is-draft': 'This is already a draft.',
  'submit-first': 'Submit it for review first: a draft can still change.',
  'was-rejected': 'This version was rejected.',
  'too-many-versions': 'This policy has reached its limit of versions.',
  'administrators-only': 'Only administrators can do this.',
  'operators-only': 'Only administrators and operators can do this.',
  'authors-and-operators-only': 'Only administrators, operators and policy authors can read this.',
  'reviewers-read-log': 'Only administrators and reviewers can read the log.',
  'second-administrator': 'Another administrator must accept this.',
  'no-second-administrator':
    'No other administrator can accept this now. Ask the operator to make this change in the terminal.',
  'administrator-by-token': 'Disable or demote administrators as a person: a program may not.',
  'change-outdated': 'What was to be changed is no longer as this request says. Ask again.',
  'change-too-late': 'This was accepted, but not made within an hour. Ask again.',
  'own-access': 'You can’t disable yourself. Ask another administrator, or run: assentry {command}',
  'own-power': 'You can’t change your own permissions. Ask another administrator, or run: assentry {command}',
  'own-report': 'You can’t make yourself someone’s manager. Ask another administrator, or run: assentry {command}',
  'own-membership': 'You can’t add yourself to a group. Ask another administrator, or run: assentry {command}',
  'own-leaving': 'You can’t remove yourself from a group. Ask another administrator, or run: assentry {command}',
  'own-confirmation':
    'You can’t confirm your own membership. Ask another administrator or owner, or run: assentry {command}',
  'owners-confirm': 'Only owners of the group and administrators can confirm its members.',
  'no-confirmation-needed': 'No one needs to confirm the members of this group.',
  'members-changed': 'The members have changed since you saw them. Read the list again.',
  'own-server': 'You can’t change whether you own a server. Ask another administrator, or run: assentry {command}',
  'own-link': 'You can’t create a password link for yourself. Ask another administrator, or run: assentry {command}',
  'link-from-operator':
    'Ask the operator to run: assentry {command}. It prints the link for this person; the console doesn’t show it.',
  'last-administrator': 'This is the last administrator. Another one must set a password first.',
  'person-disabled': 'This person is disabled. Enable them first.',
  'person-exists': 'Someone with this email address already exists.',
  'group-exists': 'A group with this name already exists.',
  'group-not-provisioned': 'No identity provider has made this group: it counts already.',
  'group-in-policy': 'The policy {policy} names this group. Change the policy first.',
  'group-name-in-policy': 'The policy {policy} relies on a group with this name. Change the policy first.',
  'role-in-use': 'Give these people another role first: {people}.',
  'role-in-policy': 'The policy {policy} names this role. Change the policy first.',
  'wrong-password': 'The email address and password don’t match.',
  'open-first':
    'Open this request in the console and read it before you approve: its policy, or its risk, asks for that.',
  'open-long': 'Open each long value of the arguments and read it to its end before you approve. Not opened: {values}.',
  'read-first': 'Read the request: you can approve it in {seconds} s.',
  'pause-first': 'You approved many requests, or several within seconds each. You can go on in {seconds} s.',
  'other-tools': 'This key isn’t for the tool {tool}. Ask an administrator for a key that is.',
  'key-revoked': 'Create a key instead: this one was revoked.',
  'key-expired': 'Create a key instead: this one has expired.',
  'key-rotated': 'Use the key {next}: it was made to follow this one. If it is lost, create another.',
  'link-used': 'Ask for a new link: this one has been used or has expired.',
} as const satisfies Record<string, string>;

export type RefusalCode = keyof typeof refusalSentences;

/** A reason and what fills its sentence. */
export interface Refusal {
  code: RefusalCode;
  values?: Record<string, string> | undefined;
}

export const refusalCodes = Object.keys(refusalSentences) as RefusalCode[];

/** The sentence of a refusal in the language of `sentences`. */
export const formatRefusal = (
  { code, values = {} }: Refusal,
  sentences: Record<RefusalCode, string> = refusalSentences,
): string => sentences[code].replaceAll(/\{(\w+)\}/g, (_whole, name: string) => values[name] ?? '');
