import { NativeSelect } from '@mantine/core';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { grantDurations, mayGrant } from '../words/url-facts/grant-terms.ts';
import type { DecisionState } from '../use-decision/use-decision.ts';
import { allowing as words } from '../words/words.ts';

/** Whether the same may run again without asking, for how long, and within which bounds of the policy. */
export function AllowFor({ detail, decision }: { detail: ElicitationDetail; decision: DecisionState }) {
  const { grant } = detail.policy;
  if (grant === null || !mayGrant(detail)) return null;
  const durations = grantDurations(grant).map((duration) => ({
    value: `${duration}`,
    label: words.lasting(duration),
  }));
  return (
    <NativeSelect
      label={words.label}
      description={words.bounds(grant)}
      value={`${decision.allowFor ?? ''}`}
      data={[{ value: '', label: words.once }, ...durations]}
      onChange={({ currentTarget: { value } }) => decision.allow(value === '' ? null : Number(value))}
    />
  );
}
