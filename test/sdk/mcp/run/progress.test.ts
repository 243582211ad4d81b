import { describe, expect, test } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { countExecutions, enterExecution, leaveExecution } from '#sdk/mcp/run/executions';
import { linkSignals } from '#sdk/client/transport';
import { Progress } from '#sdk/mcp/run/run';
import { until } from '../../../support/poll.ts';

const countTimers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

describe('progress', () => {
  test('counts on from one question of a call to the next, and stops with each', async () => {
    const timers = countTimers();
    const sent: number[] = [];
    const progress = new Progress({ sendProgress: async (count) => void sent.push(count) }, 5);
    await progress.during('first', () => until(() => sent.length >= 3));
    await expect(progress.during('second', () => Promise.reject(new TypeError('no')))).rejects.toThrow('no');
    const before = sent.length;
    await progress.during('third', () => until(() => sent.length >= before + 2));
    expect(sent).toEqual(sent.map((_, index) => index + 1));
    expect(countTimers()).toBeLessThanOrEqual(timers);
  });

  test('survives a stream that is gone', async () => {
    const progress = new Progress({ sendProgress: () => Promise.reject(new TypeError('closed')) }, 1);
    let count = 0;
    expect(await progress.during('first', () => until(() => (count += 1) > 3))).toBe(true);
  });

  test('is nothing without a token', async () => {
    expect(await new Progress({ sendProgress: undefined }, 1).during('first', async () => 7)).toBe(7);
  });
});

describe('a linked signal', () => {
  test('aborts with the reason of the first that does', () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const linked = linkSignals(first.signal, undefined, second.signal);
    second.abort('two');
    first.abort('one');
    expect(linked.signal.reason).toBe('two');
    expect(linkSignals(first.signal).signal.reason).toBe('one');
  });

  test('leaves nothing behind once released', () => {
    const source = new AbortController();
    const linked = linkSignals(source.signal);
    expect(getEventListeners(source.signal, 'abort')).toHaveLength(1);
    linked.release();
    expect(getEventListeners(source.signal, 'abort')).toHaveLength(0);
    source.abort();
    expect(linked.signal.aborted).toBe(false);
  });
});

describe('the execution of a call in this process', () => {
  const run = { undecided: new Set<{ id: string }>() };

  test('belongs to one run at a time, and its result to all that wait', async () => {
    const execution = enterExecution('call_1', run);
    const [first, second] = [{}, {}];
    expect([execution.tryOwn(first), execution.tryOwn(second), execution.tryOwn(first)]).toEqual([true, false, true]);
    const waiting = execution.released(new AbortController().signal);
    execution.release(second, { content: ['not mine to end'] });
    expect(execution.result).toBeUndefined();
    execution.release(first, { content: ['done'] });
    await waiting;
    expect(execution.result).toEqual({ content: ['done'] });
    expect(execution.tryOwn(second)).toBe(true);
    leaveExecution('call_1', run, { isUnfinished: false });
  });

  test('keeps its attempt for the retry where it is not finished, and is forgotten where it is', () => {
    const before = countExecutions();
    const { attempt } = enterExecution('call_2', run);
    leaveExecution('call_2', run, { isUnfinished: true });
    expect(countExecutions()).toBe(before + 1);
    expect(enterExecution('call_2', run).attempt).toBe(attempt);
    leaveExecution('call_2', run, { isUnfinished: false });
    expect(countExecutions()).toBe(before);
    expect(enterExecution('call_2', run).attempt).not.toBe(attempt);
    leaveExecution('call_2', run, { isUnfinished: false });
  });

  test('is not kept for ever by callers that never come back', () => {
    for (let index = 0; index < 1500; index += 1) {
      enterExecution(`lost_${index}`, run);
      leaveExecution(`lost_${index}`, run, { isUnfinished: true });
    }
    expect(countExecutions()).toBeLessThanOrEqual(1000);
    for (let index = 0; index < 1500; index += 1) {
      enterExecution(`lost_${index}`, run);
      leaveExecution(`lost_${index}`, run, { isUnfinished: false }); // the next file of this worker begins without
    }
  });

  test('ends the wait of a caller that leaves', async () => {
    const execution = enterExecution('call_3', run);
    const leaving = new AbortController();
    const waiting = execution.released(leaving.signal);
    leaving.abort('left');
    await expect(waiting).rejects.toBe('left');
    await expect(execution.released(leaving.signal)).rejects.toBe('left');
    leaveExecution('call_3', run, { isUnfinished: false });
  });
});
