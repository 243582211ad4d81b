import { expect, test } from '@jest/globals';
import type { Actor } from '#audit/entries/rules/entry';
import { TimelineActor, TimelineEvent } from '#requests/inbox/contract/inbox';
import { showActor, showEvent, type RequestEvent } from '#requests/inbox/verbs/request';
import { formatEvent } from '../../../web/src/requests/decide/words/later-words.ts';
import { someProgress } from '../../support/requests/request-facts.ts';

const question = { elicitation: 'eli_1', digest: 'd', revision: 1, from: 'open', to: 'accepted' } as const;
const fields = { ...someProgress, ...question };
const names = new Map([
  ['srv_1', 'travel'],
  ['usr_1', 'Alice'],
]);
/** Through the wire's own schema, into the console's words. */
const tell = (actor: Actor, event: RequestEvent): string =>
  formatEvent(TimelineActor.parse(showActor(actor, names)), TimelineEvent.parse(showEvent(event, names)));

const requester = { kind: 'requester' } as const;
const alice = { kind: 'user', id: 'usr_1' } as const;
const service = { kind: 'service' } as const;
const server = { kind: 'server', id: 'srv_1' } as const;

test.each<[string, Actor, RequestEvent]>([
  [
    'The requester opened the page as the requester',
    requester,
    { type: 'elicitation.visited', channel: 'page', ...fields },
  ],
  ['Alice opened the page as the requester', alice, { type: 'elicitation.visited', channel: 'page', ...fields }],
  [
    'The requester answered on the page: declined',
    requester,
    { type: 'elicitation.answered', channel: 'page', action: 'decline', ...fields },
  ],
  [
    'Alice agreed to go to the address',
    alice,
    { type: 'elicitation.answered', channel: 'page', action: 'accept', ...fields, to: 'open' },
  ],
  [
    'The external service reported the result: accepted',
    service,
    { type: 'elicitation.answered', channel: 'callback', action: 'accept', ...fields },
  ],
  [
    'travel relayed the requester’s answer: accepted',
    server,
    { type: 'elicitation.answered', channel: 'relayed', action: 'accept', ...fields },
  ],
  [
    'travel relayed the requester’s answer, according to the agent: declined',
    server,
    { type: 'elicitation.answered', channel: 'told', action: 'decline', ...fields },
  ],
  [
    'Alice approved (reviewed and witnessed)',
    alice,
    {
      type: 'elicitation.voted',
      vote: 'vot_1',
      action: 'accept',
      seen: 'd',
      meanings: ['reviewed', 'witnessed'],
      ...fields,
    },
  ],
  ['Alice extended the deadline', alice, { type: 'elicitation.extended', deadlineAt: 5, ...fields, to: 'open' }],
  ['Alice changed the start time', alice, { type: 'elicitation.postponed', notBefore: 7, ...fields, to: 'open' }],
  ['No one decided: others can vote now', { kind: 'timer' }, { type: 'elicitation.escalated', ...fields, to: 'open' }],
  [
    'No one decided: CFO takes the place of the stage, and voting starts again',
    { kind: 'timer' },
    { type: 'elicitation.escalated', restarts: true, inPlace: 'CFO', ...fields, to: 'open' },
  ],
  ['Expired: no one decided in time', { kind: 'timer' }, { type: 'elicitation.expired', ...fields }],
])('the log says: %s', (sentence, actor, event) => {
  expect(tell(actor, event)).toBe(sentence);
});

test('someone who has left is told as such, and a time goes along as data', () => {
  const gone = { kind: 'user', id: 'usr_2' } as const;
  expect(tell(gone, { type: 'elicitation.commented', remark: 'rem_1', said: 'd', ...fields })).toBe(
    'Someone who has left commented',
  );
  expect(showEvent({ type: 'elicitation.extended', deadlineAt: 5, ...fields }, names)).toMatchObject({ until: 5 });
  expect(showEvent({ type: 'elicitation.postponed', notBefore: 7, ...fields }, names)).toMatchObject({ until: 7 });
});
