import { checkServiceToken } from '#platform/bearer/tokens/check-service-token';
import { Problem } from '#platform/model/problem/problem';
import type { Chat, ChatCall } from '../../channel/channel/chat.ts';
import { parseJson } from '../../../channel/channel/parse-json.ts';
import { Activity, readTeamsClick } from './msteams-click.ts';
import { createTeamsClient } from './msteams-client.ts';
import { teamsMessage, teamsReminder } from './msteams-message.ts';
import type { TeamsConfig } from './settings.ts';

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
