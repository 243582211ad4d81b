import { firstPolicy } from '#platform/model/names';
import type { Operator } from '#server/operator';

export const readingPolicy = `policy: ${firstPolicy}
description: Tools that say they only read run without an approval. Everything else waits for an approver.
match: { annotations: { readOnlyHint: true } }
allow: { ceiling: low }
`;

/** Publishes the first policy of a new installation on this machine, however it was started. */
export async function publishFirst(operator: Pick<Operator, 'directory' | 'exportPolicies' | 'applyPolicies'>) {
  const isNew = (await operator.directory()).users.length === 0 && (await operator.exportPolicies()).length === 0;
  if (isNew) await operator.applyPolicies([readingPolicy]);
}
