import { z } from 'zod';
import type { RouteContract } from '#platform/http/contract/route';

/** The calls with which chats report clicks. Each is proven in the way of its chat. */
export const chatRoutes = {
  takeTeamsActivity: {
    method: 'post',
    path: '/chat/msteams/messages',
    auth: 'connector',
    summary:
      'A message of the Bot Connector. A click in Microsoft Teams is a vote of the person linked to that member, or of no one.',
    body: z.looseObject({ type: z.string() }).meta({ description: 'An activity, as the Bot Framework describes it.' }),
    success: {
      200: z.object({ statusCode: z.int(), type: z.string(), value: z.string() }).meta({
        description: 'What the member who clicked is shown. Empty if it was no click.',
      }),
    },
  },
  takeSlackClick: {
    method: 'post',
    path: '/chat/slack/interactions',
    auth: 'signature',
    summary: 'A click in Slack, signed by Slack. It is a vote of the person linked to that member, or of no one.',
    body: z.object({ payload: z.string().meta({ description: 'JSON, as Slack describes it.' }) }),
    success: { 200: null },
    form: true,
  },
} as const satisfies Record<string, RouteContract>;

/** The address that each chat calls. */
export const clickPaths: Record<ChatChannel, string> = {
  msteams: chatRoutes.takeTeamsActivity.path,
  slack: chatRoutes.takeSlackClick.path,
};

/** What the places of a channel are: people, their browsers, webhooks, or members and rooms of a chat. */
export type PlaceKind = 'person' | 'device' | 'webhook' | 'chat';

interface ChannelFacts {
  /** The name of the product; absent for what has a name in each language. */
  label?: string;
  /** A chat that also takes cards at an address of its own has two kinds. */
  places: readonly PlaceKind[];
  /** A webhook writes sentences in one language. */
  hasLanguage?: true;
  /** The form of the key that a webhook sends along; absent if it needs none. */
  key?: RegExp;
  chat?: ChatFacts;
}

interface ChatFacts {
  /** The form of the ids of its members, and of the rooms that policies name. */
  member: RegExp;
  room: RegExp;
}

/**
 * Every channel, in the order in which they are shown. All other lists of channels derive from this one. What a channel
 * says and how it sends is in the folder of its name in `channels/`.
 */
export const channels = {
  email: { places: ['person'] },
  push: { places: ['device'] },
  standard: { places: ['webhook'] },
  chat: { places: ['webhook'], hasLanguage: true },
  msteams: {
    label: 'Microsoft Teams',
    places: ['webhook', 'chat'],
    hasLanguage: true,
    chat: {
      member: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
      room: /^19:[\w-]{8,120}@thread\.(?:tacv2|skype)$/,
    },
  },
  pagerduty: { label: 'PagerDuty', places: ['webhook'], hasLanguage: true, key: /^\w{32}$/ },
  slack: {
    label: 'Slack',
    places: ['chat'],
    chat: { member: /^[UW][A-Z0-9]{4,20}$/, room: /^(?:[CG][A-Z0-9]{4,20}|#[^\s#A-Z]{1,80})$/ },
  },
} as const satisfies Record<string, ChannelFacts>;

type ChannelName = keyof typeof channels;

/** The channels with places of one of these kinds. */
type ChannelWith<Kind extends PlaceKind> = {
  [Name in ChannelName]: Extract<(typeof channels)[Name]['places'][number], Kind> extends never ? never : Name;
}[ChannelName];

export const factsOf = (name: ChannelName): ChannelFacts => channels[name];

const channelsWith = <Kind extends PlaceKind>(...kinds: Kind[]): readonly ChannelWith<Kind>[] =>
  (Object.keys(channels) as ChannelName[]).filter((name): name is ChannelWith<Kind> =>
    kinds.some((kind) => factsOf(name).places.includes(kind)),
  );

/** How people are notified: at their address and in their browsers. A policy can choose among these. */
export const personalChannels = channelsWith('person', 'device');
export type PersonalChannel = ChannelWith<'person' | 'device'>;

/** What a webhook can send: each format is a channel. */
export const webhookFormats = channelsWith('webhook');
export type WebhookFormat = ChannelWith<'webhook'>;

/** Chats that show a message for each request, and may take votes there. */
export const chatChannels = channelsWith('chat');
export type ChatChannel = ChannelWith<'chat'>;

const oneOf = (form: 'member' | 'room'): RegExp =>
  new RegExp(chatChannels.map((name) => channels[name].chat[form].source).join('|'));

export const chatMemberForm = oneOf('member');
export const chatRoomForm = oneOf('room');

export const wrongChatMember =
  'Give the ID of a member: such as U0123ABCD in Slack, or the object ID for Microsoft Teams.';

/** The chat with this member or room; ids of two chats never look alike. Null if there is none. */
export const chatWith = (target: string): ChatChannel | null =>
  chatChannels.find((name) =>
    [channels[name].chat.member, channels[name].chat.room].some((form) => form.test(target)),
  ) ?? null;

/** What people call the chat of a member. */
export function chatLabel(member: string): string {
  const name = chatWith(member);
  return name === null ? 'chat' : channels[name].label;
}

export const isChat = (name: string): name is ChatChannel => chatChannels.some((chat) => chat === name);
