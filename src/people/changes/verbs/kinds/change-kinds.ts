import { applyingDirectory } from './directory-changes.ts';
import { addingMembers, adoptingGroup, settingConfirmation } from './group-changes.ts';
import { erasingContent, placingHold, releasingHold } from './keeping-changes.ts';
import { applyingPolicies, publishingPolicy } from './policy-changes.ts';
import { decidingPair } from './pair-changes.ts';
import { changingRole } from './role-changes.ts';
import { changingKey, creatingKey, liftingStop, settingOwner } from './server-changes.ts';
import { movingToSpace, settingSpaceRole } from './space-changes.ts';
import { creatingToken } from './token-changes.ts';
import { addingWorkload } from './workload-changes.ts';
import { addingWebhook } from './webhook-changes.ts';
import { addingUser, changingUser } from './user-changes.ts';

/** Every kind of change that a second administrator accepts, by the tool that policies know it by. */
export const changeKinds = {
  'add-user': addingUser,
  'change-user': changingUser,
  'decide-pair': decidingPair,
  'add-members': addingMembers,
  'adopt-group': adoptingGroup,
  'set-confirmation': settingConfirmation,
  'set-owner': settingOwner,
  'set-space-role': settingSpaceRole,
  'change-role': changingRole,
  'move-to-space': movingToSpace,
  'create-key': creatingKey,
  'change-key': changingKey,
  'publish-policy': publishingPolicy,
  'lift-stop': liftingStop,
  'erase-content': erasingContent,
  'place-hold': placingHold,
  'release-hold': releasingHold,
  'add-webhook': addingWebhook,
  'add-workload': addingWorkload,
  'create-token': creatingToken,
  'apply-directory': applyingDirectory,
  'apply-policies': applyingPolicies,
};

export type ChangeName = keyof typeof changeKinds;

/** What a kind of change is asked for with, and what it answers when it is made at once. */
export type ChangeInput<N extends ChangeName> = Parameters<(typeof changeKinds)[N]['act']>[2];
export type Done<N extends ChangeName> = Awaited<ReturnType<(typeof changeKinds)[N]['act']>>;

export const isChangeName = (name: string): name is ChangeName => Object.hasOwn(changeKinds, name);
