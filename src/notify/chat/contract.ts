import { z } from 'zod';
import type { RouteContract } from '#platform/http/contract/route';

/** Routes for the chats' calls about clicks. Each chat proves them in its own way. */
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

/** Address that each chat calls. */
export const clickPaths: Record<ChatChannel, string> = {
  msteams: chatRoutes.takeTeamsActivity.path,
  slack: chatRoutes.takeSlackClick.path,
};

/** Kinds of a channel's places: people, their browsers, webhooks, or members and rooms of a chat. */
export type PlaceKind = 'person' | 'device' | 'webhook' | 'chat';

interface ChannelFacts {
  /** Name of the product; absent for a channel with a name in each language. */
  label?: string;
  /** Kinds of places; a chat that also takes cards at a separate address has two. */
  places: readonly PlaceKind[];
  /** A webhook writes sentences in one language. */
  hasLanguage?: true;
  /** Form of the key that a webhook sends; absent if it needs none. */
  key?: RegExp;
  chat?: ChatFacts;
}

interface ChatFacts {
  /** The form of the ids of its members, and of the rooms that policies name. */
  member: RegExp;
  room: RegExp;
}

/**
 * Every channel, in display order. All other lists of channels derive from this one. The texts and the client of a channel are
 * in the folder of its name.
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

/** Personal channels: people's addresses and their browsers. A policy can choose among these. */
export const personalChannels = channelsWith('person', 'device');
export type PersonalChannel = ChannelWith<'person' | 'device'>;

/** Formats of webhooks: each is a channel. */
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

/** Name of a member's chat for people. */
export function chatLabel(member: string): string {
  const name = chatWith(member);
  return name === null ? 'chat' : channels[name].label;
}

export const isChat = (name: string): name is ChatChannel => chatChannels.some((chat) => chat === name);
