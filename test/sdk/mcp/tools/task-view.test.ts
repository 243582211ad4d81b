import { describe, expect, test } from '@jest/globals';
import type { ToolCallState } from '#sdk/client/client';
import { cancelledResult, isRunnable, viewTask } from '#sdk/mcp/tools/tasks';

type Asked = ToolCallState['elicitations'][number];

const requestWith = (parts: Partial<Asked> = {}): Asked => ({
  id: 'eli_AAAAAAAAAAAAAAAAAAAAAA',
  toolCall: 'call_AAAAAAAAAAAAAAAAAAAAAA',
  step: '0',
  status: 'open',
  audience: 'approvers',
  mode: 'form',
  action: null,
  cause: null,
  comment: null,
  openedAt: 1_000,
  deadlineAt: 90_000,
  closedAt: null,
  revision: 1,
  digest: 'd',
  statusUrl: 'http://127.0.0.1/requests/1',
  message: 'Delete it?',
  schema: { type: 'object', properties: {} },
  visited: false,
  ...parts,
});
const closed = (parts: Partial<Asked> = {}): Asked => requestWith({ status: 'accepted', closedAt: 5_000, ...parts });
const call = (parts: Partial<ToolCallState> = {}): ToolCallState => ({
  id: 'call_AAAAAAAAAAAAAAAAAAAAAA',
  tool: 'delete',
  title: null,
  description: null,
  schemaDigest: null,
  annotations: null,
  state: 'open',
  since: null,
  arguments: {},
  requester: { subject: 'alice', verified: true },
  session: 's',
  elicitations: [requestWith()],
  ...parts,
});
const view = (parts: Partial<ToolCallState>, now = 10_000) => viewTask(call(parts), now, 60_000);
const text = { content: [{ type: 'text', text: 'done' }] };

describe('a task', () => {
  test.each([
    ['waits for approvers', {}, { status: 'working', statusMessage: 'Waiting for approval.' }],
    [
      'runs after the last answer',
      { elicitations: [closed()] },
      { status: 'working', statusMessage: 'The tool is running.' },
    ],
    [
      'asks its client',
      { elicitations: [closed(), requestWith({ audience: 'requester' })] },
      { status: 'input_required' },
    ],
    [
      'asks its client what an approver asks',
      { elicitations: [requestWith({ inquiry: { id: 'rem_1', by: 'Ada', message: 'Why?', schema: {} } })] },
      {
        status: 'input_required',
        questions: new Map([
          ['rem_1', { mode: 'form', message: 'Ada must approve "Delete it?" and asks you:\nWhy?', schema: {} }],
        ]),
      },
    ],
    ['has its result', { state: 'completed', result: text }, { status: 'completed', result: text }],
    ['still has it later', { state: 'settled', result: text }, { status: 'completed', result: text }],
    ['says that it was not kept', { state: 'settled' }, { status: 'completed', result: { isError: true } }],
    ['was cancelled', { state: 'settled', result: cancelledResult }, { status: 'cancelled' }],
    ['is at work', { state: 'claimed', since: 9_000, elicitations: [closed()] }, { status: 'working' }],
  ] as const)('%s', (_name, parts, expected) => {
    expect(view(parts as unknown as Partial<ToolCallState>)).toMatchObject(expected);
  });

  test('has failed if its run was never heard of again', () => {
    const dead = { state: 'claimed' as const, since: 9_000, elicitations: [closed()] };
    expect(view(dead, 69_000)).toMatchObject({ status: 'working' });
    expect(view(dead, 69_001)).toMatchObject({ status: 'failed', error: { code: -32603 } });
  });

  test('says when it began and when it last changed', () => {
    expect(view({ elicitations: [closed({ openedAt: 2_000 }), requestWith({ openedAt: 6_000 })] })).toMatchObject({
      createdAt: '1970-01-01T00:00:02.000Z',
      lastUpdatedAt: '1970-01-01T00:00:06.000Z',
      ttlMs: null,
    });
  });

  test.each([
    ['an open question', {}, false],
    ['all answered', { elicitations: [closed(), closed({ status: 'declined' })] }, true],
    ['a run at work', { state: 'claimed', elicitations: [closed()] }, false],
    ['an end', { state: 'completed', elicitations: [closed()] }, false],
  ] as const)('with %s may be run or not', (_name, parts, expected) => {
    expect(isRunnable(call(parts as unknown as Partial<ToolCallState>))).toBe(expected);
  });
});
