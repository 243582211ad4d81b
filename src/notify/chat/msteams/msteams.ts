import { checkServiceToken } from '#platform/bearer/tokens';
import { Problem } from '#platform/model/problem';
import { type Chat, type ChatCall, VoteButton } from '../channel/channel.ts';
import { parseJson, eventFacts, eventHeadline } from '../../channel/channel.ts';
import { unsigned, type WriteCall } from '../../webhooks/channel/webhooks.ts';
import { mailWords } from '../../mail/words/mail-words.ts';
import { z } from 'zod';
import { sha256 } from '#platform/crypto/digest';
import type { ChatVote } from '../verbs/vote.ts';
import { voteActions } from '#requests/asking/contract/elicitation';
import { sendRequest } from '#platform/http/client/outgoing-request';
import { channels } from '../contract.ts';
import type { ChatPlace } from '../store.ts';
import { connectionFault, DeliveryFailure, retryAfterMs } from '../../channel/delivery-failure.ts';
import type { Labelled, ShownInChat } from '../verbs/show.ts';
import { chatWords, type ChatWords } from '#messages/chat-words';
import { timeIn } from '../../channel/text.ts';
import { refuseVariable } from '#platform/config/config';
import type { Environment } from '#platform/config/env';

/** Messages in Microsoft Teams, and votes there. */
export function createTeamsChat(config: TeamsConfig, now: () => number): Chat {
  const client = createTeamsClient(config, now);
  const checkToken = checkServiceToken(
    {
      issuer: 'https://api.botframework.com',
      audience: config.appId,
      jwks: config.keysUrl,
      clockTolerance: 300,
    },
    now,
  );

  /** The activity that the Bot Connector sends; problem `unauthenticated` for everything else, with one answer. */
  async function readActivity({ header, body }: ChatCall): Promise<unknown> {
    const [, token] = /^Bearer (\S+)$/i.exec(header('authorization') ?? '') ?? [];
    const activity = Activity.safeParse(parseJson(body.toString('utf8'))).data;
    const checked = token === undefined ? null : await checkToken(token);
    if (!activity || !checked) throw new Problem('unauthenticated');
    const isFor = checked.claims['serviceurl'] === activity.serviceUrl;
    if (!isFor || !checked.endorsements.includes(activity.channelId)) throw new Problem('unauthenticated');
    return activity;
  }

  return {
    name: 'msteams',
    write: teamsMessage,
    post: (target, message) => client.post(target, message),
    update: (place, message) => client.update(place, message),
    remind: ({ place }, shown) => client.reply(place, teamsReminder(shown)),
    clickType: 'application/json',
    async readClick(call) {
      const click = readTeamsClick(await readActivity(call));
      if (!click) return null;
      const { vote, tenants } = click;
      const isOurs = vote?.member !== '' && tenants.length > 0 && tenants.every((id) => id === config.tenant);
      return { vote, isOurs: async () => isOurs };
    },
    writeAnswer: (text) => ({ statusCode: 200, type: 'application/vnd.microsoft.activity.message', value: text }),
    async replyPrivately() {}, // the response shows the answer
  };
}

/** An adaptive card with a button that opens the request, for a workflow of Microsoft Teams that posts it. */
export const writeTeamsCard: WriteCall = (event, { language }) => {
  const title = {
    type: 'TextBlock',
    text: eventHeadline(event, language),
    weight: 'Bolder',
    size: 'Medium',
    wrap: true,
  };
  const facts = eventFacts(event, language).map(([label, value]) => ({ title: label, value }));
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [title, ...(facts.length > 0 ? [{ type: 'FactSet', facts }] : [])],
    actions: event.data ? [{ type: 'Action.OpenUrl', title: mailWords[language].open, url: event.data.url }] : [],
  };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return unsigned({ type: 'message', attachments: [{ contentType, content }] });
};

/** Members of every call of the Bot Connector. */
export const Activity = z.looseObject({ channelId: z.literal('msteams'), serviceUrl: z.string().min(1) });

/** Used members of its message about a click. */
const Click = z.object({
  type: z.literal('invoke'),
  name: z.literal('adaptiveCard/action'),
  id: z.string().min(1).max(500),
  replyToId: z.string().min(1).max(500),
  /** Sender; members are known by their object ids in the tenant. */
  from: z.object({ aadObjectId: z.string().max(100).optional() }),
  conversation: z.object({ id: z.string().min(1), tenantId: z.string().optional() }),
  channelData: z.object({ tenant: z.object({ id: z.string() }).optional() }).nullish(),
  value: z.object({ action: z.object({ verb: z.string(), data: z.record(z.string(), z.unknown()) }) }),
});

/** A click on a card; null if the call reports something else. `tenants` lists all named ones. */
function readTeamsClick(activity: unknown): { vote: ChatVote | null; tenants: string[] } | null {
  const click = Click.safeParse(activity).data;
  if (!click) return null;
  const { conversation, channelData } = click;
  const tenants = [conversation.tenantId, channelData?.tenant?.id].filter((id) => id !== undefined);
  return { vote: voteOf(click), tenants };
}

function voteOf({ id, replyToId, from, conversation, value: { action } }: z.infer<typeof Click>): ChatVote | null {
  const { reason, ...data } = action.data;
  const verb = voteActions.find((candidate) => candidate === action.verb);
  const button = VoteButton.safeParse(data).data;
  if (!verb || !button) return null;
  return {
    member: from.aadObjectId?.toLowerCase() ?? '',
    place: { channel: conversation.id, ts: replyToId },
    id: button.id,
    digest: button.digest,
    action: verb,
    comment: typeof reason === 'string' ? reason.trim() || undefined : undefined,
    delivery: sha256(JSON.stringify([conversation.id, id])),
  };
}

/** Milliseconds before its end from which a token is no longer used. */
const tokenMarginMs = 300_000;

/** Client of the Bot Connector. Each call tries once; the message's row holds the time of the next try. */
export function createTeamsClient(config: TeamsConfig, now: () => number, timeoutMs?: number) {
  const { appId, appSecret, tenant, serviceUrl, loginUrl } = config;
  let token: { value: string; until: number } | null = null;

  const send = async (url: URL, request: RequestInit): Promise<Answer> => {
    const response = await sendRequest(url, request, { timeoutMs }).catch((error: unknown) => {
      throw new DeliveryFailure(connectionFault(error));
    });
    if (response.ok) return response.json().catch(() => ({}));
    await response.body?.cancel();
    throw new DeliveryFailure(String(response.status), { wait: retryAfterMs(response.headers.get('retry-after')) });
  };

  async function readToken(): Promise<string> {
    if (token && token.until > now()) return token.value;
    const form = {
      grant_type: 'client_credentials',
      client_id: appId,
      client_secret: appSecret,
      scope: 'https://api.botframework.com/.default',
    };
    const answer = await send(new URL(`${tenant}/oauth2/v2.0/token`, loginUrl), {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    const { access_token: value, expires_in: seconds } = answer;
    if (typeof value !== 'string') throw new DeliveryFailure('no-token');
    token = { value, until: now() + Number(seconds) * 1000 - tokenMarginMs };
    return value;
  }

  async function call(method: 'POST' | 'PUT', path: string, body: object): Promise<Answer> {
    const headers = { authorization: `Bearer ${await readToken()}`, 'content-type': 'application/json' };
    const request = { method, headers, body: JSON.stringify(body) };
    return send(new URL(`v3/conversations${path}`, serviceUrl), request).catch((error: unknown) => {
      if (error instanceof DeliveryFailure && error.code === '401') token = null;
      throw error;
    });
  }

  const parties = { bot: { id: `28:${appId}` }, tenantId: tenant };
  return {
    /** Starts a thread in a room, or a conversation with a member; returns its id and that of the message. */
    async post(target: string, activity: object): Promise<ChatPlace> {
      if (!channels.msteams.chat.member.test(target)) {
        const channelData = { channel: { id: target }, tenant: { id: tenant } };
        const thread = await call('POST', '', { ...parties, isGroup: true, channelData, activity });
        return { channel: idOf(thread['id']), ts: idOf(thread['activityId']) };
      }
      const channelData = { tenant: { id: tenant } };
      const started = await call('POST', '', { ...parties, isGroup: false, channelData, members: [{ id: target }] });
      const channel = idOf(started['id']);
      const posted = await call('POST', activitiesOf(channel), activity);
      return { channel, ts: idOf(posted['id']) };
    },
    /** Posts into the thread or conversation of a message. */
    reply: async ({ channel }: ChatPlace, activity: object) =>
      void (await call('POST', activitiesOf(channel), activity).catch(endIfGone)),
    update: async ({ channel, ts }: ChatPlace, activity: object) =>
      void (await call('PUT', `${activitiesOf(channel)}/${encodeURIComponent(ts)}`, activity).catch(endIfGone)),
  };
}

type Answer = Record<string, unknown>;

/** Ends with a final failure if the conversation or the message no longer exists. */
function endIfGone(error: unknown): never {
  const isGone = error instanceof DeliveryFailure && error.code === '404';
  throw isGone ? new DeliveryFailure(error.code, { isFinal: true }) : error;
}

const activitiesOf = (conversation: string): string => `/${encodeURIComponent(conversation)}/activities`;

function idOf(value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new DeliveryFailure('no-id');
}

/** A request as a message in Microsoft Teams: an adaptive card. Its text runs take no Markdown. */
function teamsMessage(shown: ShownInChat): object {
  const { title, call, facts, content, vote, note, url } = shown;
  const words = chatWords[shown.language];
  const body = [
    paragraph([bold(title)]),
    ...[...facts, ...until(shown)].map(fact),
    ...(content ?? []).flatMap(contentOf),
    ...(note === null ? [] : [paragraph(plain(note))]),
    ...(vote ? [reasonInput(words)] : []),
  ];
  const votes = vote ? [voteAction('accept', words.accept, vote), voteAction('decline', words.decline, vote)] : [];
  return message(`${title}: ${call}`, body, [...votes, openAction(words.open, url)]);
}

/** A reminder: names, deadline, and the address to decide at. */
function teamsReminder(shown: ShownInChat): object {
  const { call, url } = shown;
  const { reminder, open } = chatWords[shown.language];
  const body = [paragraph([bold(`${reminder}: `), ...plain(call)]), ...until(shown).map(fact)];
  return message(`${reminder}: ${call}`, body, [openAction(open, url)]);
}

const message = (summary: string, body: object[], actions: object[]): object => ({
  type: 'message',
  summary,
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body,
        actions,
      },
    },
  ],
});

const paragraph = (inlines: object[]): object => ({ type: 'RichTextBlock', inlines });

const run = (text: string): object => ({ type: 'TextRun', text });

/** Text runs. Cards replace `{{DATE(…)}}` and `{{TIME(…)}}`, so no run has both braces of one. */
const plain = (text: string): object[] => text.split(/(?<=\{)(?=\{(?:DATE|TIME)\()/i).map(run);

const bold = (text: string): object => ({ ...run(text), weight: 'Bolder' });

const fact = ({ label, text }: Labelled): object => paragraph([bold(`${label}: `), ...plain(text)]);

const until = ({ deadlineAt: at, language }: ShownInChat): Labelled[] =>
  at === null ? [] : [{ label: chatWords[language].labels.until, text: timeIn(at, language) }];

/** Text from people and tools, with hidden characters made visible. */
const contentOf = ({ label, text }: Labelled): object[] => [
  paragraph([bold(label)]),
  ...linesOf(text).map((line) => paragraph(plain(line || ' ').map((part) => ({ ...part, fontType: 'Monospace' })))),
];

/** Limit of paragraphs: a message has a limit of bytes, so more lines share one with their ends marked. */
const maxLines = 100;

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  return lines.length > maxLines ? [lines.join(' ⏎ ')] : lines;
}

/** Input for the reason, whose value a click on a button sends. */
const reasonInput = ({ reasonToDecline }: ChatWords): object => ({
  type: 'Input.Text',
  id: 'reason',
  label: reasonToDecline,
  isMultiline: true,
  maxLength: 3000,
});

const voteAction = (verb: 'accept' | 'decline', title: string, data: object): object => ({
  type: 'Action.Execute',
  title,
  verb,
  data,
});

const openAction = (title: string, url: string): object => ({ type: 'Action.OpenUrl', title, url });

/** The app in Microsoft Teams, which is a bot of one tenant. */
export interface TeamsConfig {
  appId: string;
  appSecret: string;
  /** Tenant whose members can vote. */
  tenant: string;
  /** The addresses of Microsoft's services, with a slash at the end. */
  serviceUrl: string;
  loginUrl: string;
  /** The public keys with which the Bot Connector signs its calls. */
  keysUrl: string;
}

const defaultAddresses = {
  serviceUrl: 'https://smba.trafficmanager.net/teams/',
  loginUrl: 'https://login.microsoftonline.com/',
  keysUrl: 'https://login.botframework.com/v1/.well-known/keys',
};

/** Form of the ids, the same as that of members. */
const id = channels.msteams.chat.member;

/** All three settings, or null if there is none; problem `config-invalid` does not repeat the secret. */
export function readTeams(environment: Environment): TeamsConfig | null {
  const {
    ASSENTRY_MSTEAMS_APP_ID: appId,
    ASSENTRY_MSTEAMS_APP_SECRET: appSecret,
    ASSENTRY_MSTEAMS_TENANT: tenant,
    ASSENTRY_MSTEAMS_SERVICE_URL: serviceUrl = defaultAddresses.serviceUrl,
  } = environment;
  if ([appId, appSecret, tenant].every((value) => value === undefined)) return null;
  const allowed = 'give the id, the secret and the tenant of your app for Microsoft Teams, or none of them';
  if (appId === undefined || !id.test(appId)) throw refuseVariable('ASSENTRY_MSTEAMS_APP_ID', foundOf(appId), allowed);
  if (tenant === undefined || !id.test(tenant))
    throw refuseVariable('ASSENTRY_MSTEAMS_TENANT', foundOf(tenant), allowed);
  if (appSecret === undefined || !/^[\x21-\x7e]{8,250}$/.test(appSecret)) {
    const finding = appSecret === undefined ? 'nothing' : 'something of another form (not shown)';
    throw refuseVariable('ASSENTRY_MSTEAMS_APP_SECRET', finding, allowed);
  }
  return { appId, appSecret, tenant, ...defaultAddresses, serviceUrl: readServiceUrl(serviceUrl) };
}

const foundOf = (text: string | undefined): string => (text === undefined ? 'nothing' : JSON.stringify(text));

/** Address of the service, which gets the token and so must use TLS. */
function readServiceUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'https:' && url.href === `${url.origin}${url.pathname}`) return url.href.replace(/\/*$/, '/');
  const allowed = `give an https address such as ${defaultAddresses.serviceUrl}`;
  throw refuseVariable('ASSENTRY_MSTEAMS_SERVICE_URL', JSON.stringify(text), allowed);
}
