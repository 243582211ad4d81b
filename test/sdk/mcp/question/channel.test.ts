import { describe, expect, test } from '@jest/globals';
import { supportsElicitation, chooseAudience, chooseChannel } from '#sdk/mcp/question/call';

const none = undefined;
const mute = {};
const empty = { elicitation: {} };
const experimental = { experimental: { elicitation: {} } };
const form = { elicitation: { form: {} } };
const url = { elicitation: { url: {} } };
const both = { elicitation: { form: {}, url: {} } };

describe('what a client can be asked', () => {
  test.each([
    { name: 'nothing known', capabilities: none, any: false, form: false, url: false },
    { name: 'nothing declared', capabilities: mute, any: false, form: false, url: false },
    { name: 'an empty declaration', capabilities: empty, any: true, form: true, url: false },
    { name: 'an experiment', capabilities: experimental, any: false, form: false, url: false },
    { name: 'forms', capabilities: form, any: true, form: true, url: false },
    { name: 'addresses', capabilities: url, any: true, form: false, url: true },
    { name: 'both', capabilities: both, any: true, form: true, url: true },
  ])('F-96 $name', ({ capabilities, ...expected }) => {
    expect(supportsElicitation(capabilities)).toBe(expected.any);
    expect(supportsElicitation(capabilities, 'form')).toBe(expected.form);
    expect(supportsElicitation(capabilities, 'url')).toBe(expected.url);
  });
});

describe('the channel', () => {
  test.each([
    { audience: 'approvers', mode: 'form', capabilities: none, channel: 'hold' },
    { audience: 'approvers', mode: 'form', capabilities: both, channel: 'hold' },
    { audience: 'approvers', mode: 'url', capabilities: mute, channel: 'hold' },
    { audience: 'requester', mode: 'form', capabilities: empty, channel: 'push' },
    { audience: 'requester', mode: 'form', capabilities: form, channel: 'push' },
    { audience: 'requester', mode: 'form', capabilities: both, channel: 'push' },
    { audience: 'requester', mode: 'form', capabilities: url, channel: 'link' },
    { audience: 'requester', mode: 'form', capabilities: mute, channel: 'link' },
    { audience: 'requester', mode: 'form', capabilities: none, channel: 'link' },
    { audience: 'requester', mode: 'url', capabilities: both, channel: 'push' },
    { audience: 'requester', mode: 'url', capabilities: form, channel: 'link' },
  ] as const)('for $audience by $mode with $capabilities is $channel', ({ channel, ...row }) => {
    const facts = { ...row, withoutElicitation: 'link' } as const;
    expect(chooseChannel({ ...facts, hasRounds: false })).toBe(channel);
    const inRounds = channel === 'push' ? 'round' : channel;
    expect(chooseChannel({ ...facts, hasRounds: true })).toBe(inRounds);
    const inTask = facts.audience === 'approvers' ? 'task' : inRounds;
    expect(chooseChannel({ ...facts, hasRounds: true, task: 'approvers' })).toBe(inTask);
    const fetched = channel === 'push' ? 'task' : inTask;
    expect(chooseChannel({ ...facts, hasRounds: true, task: 'everyone' })).toBe(fetched);
    const isMute = row.capabilities === mute || row.capabilities === none;
    const describe = (other: string) =>
      isMute && row.audience === 'requester' && row.mode === 'form' ? 'relay' : other;
    expect(chooseChannel({ ...facts, hasRounds: false, withoutElicitation: 'relay' })).toBe(describe(channel));
    expect(chooseChannel({ ...facts, hasRounds: true, withoutElicitation: 'relay' })).toBe(describe(inRounds));
    const denied = channel === 'link' ? 'unsupported' : channel;
    expect(chooseChannel({ ...facts, hasRounds: false, withoutElicitation: 'deny' })).toBe(denied);
    const refused = inRounds === 'link' ? 'unsupported' : inRounds;
    expect(chooseChannel({ ...facts, hasRounds: true, withoutElicitation: 'deny' })).toBe(refused);
  });
});

describe('the audience asked for', () => {
  test.each([
    { isDestructive: false, audience: 'requester' },
    { isDestructive: true, audience: 'approvers' },
    { isDestructive: false, approval: true, audience: 'approvers' },
    { isDestructive: false, approval: false, audience: 'requester' },
    { isDestructive: true, approval: false, audience: 'approvers' },
    { isDestructive: true, option: 'requester', audience: 'requester' },
    { isDestructive: false, option: 'approvers', audience: 'approvers' },
    { isDestructive: false, approval: true, option: 'requester', audience: 'requester' },
  ] as const)('destructive $isDestructive, approval $approval, option $option: $audience', (row) => {
    const { audience, isDestructive } = row;
    const approval = 'approval' in row ? row.approval : undefined;
    const option = 'option' in row ? row.option : undefined;
    expect(chooseAudience({ isDestructive, approval, audience: option })).toBe(audience);
  });
});
