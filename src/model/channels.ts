/** What the places of a channel are: people, their browsers, webhooks, or members and rooms of a chat. */
export type PlaceKind = 'person' | 'device' | 'webhook' | 'chat';

export interface ChannelFacts {
  places: PlaceKind;
  /** A webhook writes sentences in one language. */
  hasLanguage?: true;
  /** The form of the key that a webhook sends along; absent if it needs none. */
  key?: RegExp;
  /** The form of the ids of a chat's members, and of the rooms that policies name. */
  member?: RegExp;
  room?: RegExp;
}

/**
 * Every channel, in the order in which they are shown. All other lists of channels derive from this one. What a channel
 * says and how it sends is in the folder of its name in `channels/`.
 */
export const channels = {
  email: { places: 'person' },
  push: { places: 'device' },
  standard: { places: 'webhook' },
  chat: { places: 'webhook', hasLanguage: true },
  msteams: { places: 'webhook', hasLanguage: true },
  pagerduty: { places: 'webhook', hasLanguage: true, key: /^\w{32}$/ },
  slack: { places: 'chat', member: /^[UW][A-Z0-9]{4,20}$/, room: /^(?:[CG][A-Z0-9]{4,20}|#[^\s#A-Z]{1,80})$/ },
} as const satisfies Record<string, ChannelFacts>;

export type ChannelName = keyof typeof channels;

/** The channels with places of these kinds. */
export type ChannelWith<Places extends PlaceKind> = {
  [Name in ChannelName]: (typeof channels)[Name]['places'] extends Places ? Name : never;
}[ChannelName];

const channelsWith = <Places extends PlaceKind>(...places: Places[]): readonly ChannelWith<Places>[] =>
  (Object.keys(channels) as ChannelName[]).filter((name): name is ChannelWith<Places> =>
    places.some((kind) => kind === channels[name].places),
  );

/** How people are notified: at their address and in their browsers. A policy can choose among these. */
export const personalChannels = channelsWith('person', 'device');
export type PersonalChannel = (typeof personalChannels)[number];

/** What a webhook can send: each format is a channel. */
export const webhookFormats = channelsWith('webhook');
export type WebhookFormat = (typeof webhookFormats)[number];

/** Chats that show a message for each request, and may take votes there. */
export const chatChannels = channelsWith('chat');
export type ChatChannel = (typeof chatChannels)[number];

export const factsOf = (name: ChannelName): ChannelFacts => channels[name];
