import type { ElicitationId } from '../../model/id.ts';
import { Problem } from '../../model/problem.ts';
import type { User } from '../../model/user.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import { readable } from '../elicitation/readable.ts';
import { openQuestion } from '../elicitation/sealed-question.ts';
import type { Engine } from '../engine.ts';
import { provenRow } from '../proven-row.ts';
import { refuseHidden, visibleOf } from '../sight/sight-of.ts';
import { differencesIn, type Difference } from './differences.ts';

/** So many approved requests are tried until one is for this person to read. */
const mostTried = 10;
/** The most differences of one answer. */
const most = 100;

export interface Comparison {
  /** The request that it was compared with; null if there is none that this person may read. */
  approved: { id: ElicitationId; closedAt: number } | null;
  differences: Difference[];
  /** Whether there are more differences than these. */
  isCut: boolean;
}

/** How the arguments differ from those of the latest approved request of the same tool and server that this person may read. */
export async function compareApproved(engine: Engine, user: User, id: ElicitationId): Promise<Comparison> {
  const row = await engine.reader.elicitation(id);
  await refuseHidden(engine, user, row);
  if (!row) throw new Problem('not-found');
  const now = openQuestion(engine.ring, row).arguments;
  for (const candidate of await engine.inbox.approvedBefore(row, mostTried)) {
    const approved = await provenRow(engine, candidate);
    const before = approved && (await argumentsFor(engine, user, approved));
    if (!approved || before === null) continue;
    const differences = differencesIn(JSON.parse(before), JSON.parse(now));
    return {
      approved: { id: approved.id, closedAt: approved.closedAt ?? approved.openedAt },
      differences: differences.slice(0, most),
      isCut: differences.length > most,
    };
  }
  return { approved: null, differences: [], isCut: false };
}

/** Null if they are not for this person to read, or can no longer be read. */
async function argumentsFor(engine: Engine, user: User, row: ElicitationRow): Promise<string | null> {
  if (!(await visibleOf(engine, user, [row], 'content')).has(row.id)) return null;
  return readable(() => openQuestion(engine.ring, row))?.arguments ?? null;
}
