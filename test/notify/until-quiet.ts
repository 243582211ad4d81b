import { until } from '../support/poll.ts';
import type { TwoNodes } from '../support/nodes/two-nodes.ts';

/** Waits until every event has been planned and nothing is due. */
export const untilQuiet = ({ nodes: [{ engine }], query }: TwoNodes): Promise<unknown> =>
  until(async () => {
    const [place] = await query('SELECT place FROM outbox_reader');
    const events = await engine.outbox.readFrom(Number(place));
    return events.length === 0 && (await query(`SELECT id FROM notification WHERE state = 'due'`)).length === 0;
  });
