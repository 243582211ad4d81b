import { expect, test } from '@jest/globals';
import {
  channels,
  chatChannels,
  chatMemberForm,
  chatRoomForm,
  chatWith,
  personalChannels,
  webhookFormats,
} from '#notify/chat/contract';
import { chatToApprovers } from '#policies/terms/chat';

const targets = {
  slack: { members: ['U0123ABCD', 'W0123ABCD'], rooms: ['C0123ABCD', 'G0123ABCD', '#ops-approvals'] },
  msteams: {
    members: ['11111111-aaaa-4aaa-8aaa-000000000001'],
    rooms: ['19:0123456789abcdef@thread.tacv2', '19:a_b-c0123456789@thread.skype'],
  },
};

test('every channel is in the lists of its places', () => {
  const listed = new Set<string>([...personalChannels, ...webhookFormats, ...chatChannels]);
  expect([...listed].sort()).toEqual(Object.keys(channels).sort());
});

test.each(chatChannels)('members and rooms of %s are of no other chat, and are not mistaken for each other', (name) => {
  const { members, rooms } = targets[name];
  expect([...members, ...rooms].map(chatWith)).toEqual([...members, ...rooms].map(() => name));
  expect(members.filter((id) => chatRoomForm.test(id) || !chatMemberForm.test(id))).toEqual([]);
  expect(rooms.filter((id) => chatMemberForm.test(id) || !chatRoomForm.test(id))).toEqual([]);
});

test.each([
  '',
  'ops',
  chatToApprovers,
  'u0123ABCD',
  'U0123ABCD ',
  `x${targets.msteams.members[0]}`,
  '19:@thread.tacv2',
])('%j is in no chat', (target) => {
  expect([chatWith(target), chatMemberForm.test(target), chatRoomForm.test(target)]).toEqual([null, false, false]);
});
