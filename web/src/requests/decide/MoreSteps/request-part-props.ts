import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import type { DecisionState } from '../use-decision/use-decision.ts';
import type { Reading } from '../use-answer/use-reading.ts';

/** What a part of the page gets that shows the request and takes steps on it. */
export interface RequestPartProps {
  detail: ElicitationDetail;
  reading: Reading;
  decision: DecisionState;
}
