import type { ElicitationId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import type { User } from '#people/directory/contract/user';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import { readable } from '../../../state/verbs/change/readable.ts';
import { openQuestion } from '../../../asking/verbs/question/sealed-question.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { assertVisible } from '../visibility/visible-of.ts';
import { differencesIn } from './differences.ts';
import { readApproved, readSignals } from '../signals/read-signals.ts';

/** The most differences of one answer. */
const maxCompared = 100;

/**
 * How the arguments differ from those of the latest approved request of the same tool and server that this person may
 * read, and what else sets the request apart from past ones.
 */
export async function compareApproved(engine: Engine, user: User, id: ElicitationId) {
  const row = await engine.reader.elicitation(id);
  await assertVisible(engine, user, row);
  if (!row) throw new Problem('not-found');
  const approved = await readApproved(engine, user, row);
  const signals = await readSignals(engine, user, row, approved);
  return { digest: row.digest, ...sinceApproved(engine, row, approved), signals };
}

function sinceApproved({ ring }: Engine, row: ElicitationRow, candidates: readonly ElicitationRow[]) {
  const now = openQuestion(ring, row).arguments;
  for (const approved of candidates) {
    const before = readable(() => openQuestion(ring, approved));
    if (before === null) continue;
    const differences = differencesIn(JSON.parse(before.arguments), JSON.parse(now));
    return {
      approved: { id: approved.id, closedAt: approved.closedAt ?? approved.openedAt },
      differences: differences.slice(0, maxCompared),
      isCut: differences.length > maxCompared,
    };
  }
  return { approved: null, differences: [], isCut: false };
}
