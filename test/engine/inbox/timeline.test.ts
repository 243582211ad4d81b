import { expect, test } from '@jest/globals';
import type { Actor, AuditEvent, StoredEvent } from '../../../src/audit/entry.ts';
import { tellEvent, timeOf } from '../../../src/engine/inbox/timeline.ts';

const about = { elicitation: 'eli_1', digest: 'd', revision: 1, policy: 'p', from: 'open', to: 'accepted' } as const;
const names = new Map([
  ['srv_1', 'travel'],
  ['usr_1', 'Alice'],
]);
const stored = (actor: Actor, event: AuditEvent): StoredEvent =>
  ({ at: '2026-01-01T00:00:00.000Z', actor, ...event }) as StoredEvent;
const tell = (actor: Actor, event: AuditEvent): string => tellEvent(stored(actor, event), names);

const requester = { kind: 'requester' } as const;
const alice = { kind: 'user', id: 'usr_1' } as const;
const service = { kind: 'service' } as const;
const server = { kind: 'server', id: 'srv_1' } as const;

test.each<[string, Actor, AuditEvent]>([
  [
    'The requester opened the page as the requester',
    requester,
    { type: 'elicitation.visited', channel: 'page', ...about },
  ],
  ['Alice opened the page as the requester', alice, { type: 'elicitation.visited', channel: 'page', ...about }],
  [
    'The requester answered on the page: decline',
    requester,
    { type: 'elicitation.answered', channel: 'page', action: 'decline', ...about },
  ],
  [
    'Alice agreed to go to the address',
    alice,
    { type: 'elicitation.answered', channel: 'page', action: 'accept', ...about, to: 'open' },
  ],
  [
    'The outside service reported the result: accept',
    service,
    { type: 'elicitation.answered', channel: 'callback', action: 'accept', ...about },
  ],
  [
    "travel relayed the requester's answer: accept",
    server,
    { type: 'elicitation.answered', channel: 'relayed', action: 'accept', ...about },
  ],
  [
    "travel relayed what the agent told of the requester's answer: decline",
    server,
    { type: 'elicitation.answered', channel: 'told', action: 'decline', ...about },
  ],
  [
    'Alice approved (reviewed, witnessed)',
    alice,
    {
      type: 'elicitation.voted',
      vote: 'vot_1',
      stage: 0,
      action: 'accept',
      seen: 'd',
      meanings: ['reviewed', 'witnessed'],
      ...about,
    },
  ],
  ['Alice moved the deadline', alice, { type: 'elicitation.extended', deadlineAt: 5, ...about, to: 'open' }],
  ['Alice moved the start', alice, { type: 'elicitation.postponed', notBefore: 7, ...about, to: 'open' }],
  ['Nobody decided in time', { kind: 'timer' }, { type: 'elicitation.expired', ...about }],
])('the log tells: %s', (sentence, actor, event) => {
  expect(tell(actor, event)).toBe(sentence);
});

test.each<[number | null, AuditEvent]>([
  [5, { type: 'elicitation.extended', deadlineAt: 5, ...about }],
  [7, { type: 'elicitation.postponed', notBefore: 7, ...about }],
  [null, { type: 'elicitation.expired', ...about }],
])('the time that it is about: %s', (time, event) => {
  expect(timeOf(stored(alice, event))).toBe(time);
});
