import { isPrivateAddress } from '#platform/model/names';
import { refuseVariable } from '#platform/config/config';
import type { Environment } from '#platform/config/env';

export interface SlackConfig {
  /** The bot's token. */
  token: string;
  /** The secret with which Slack signs its requests. */
  signingSecret: string;
  /** The address of Slack's Web API, with a slash at the end. */
  apiUrl: string;
}

const slackApi = 'https://slack.com/api/';

/** Both secrets, or null if there are none; problem `config-invalid` repeats neither. */
export function readSlack(environment: Environment): SlackConfig | null {
  const { ASSENTRY_SLACK_TOKEN: token, ASSENTRY_SLACK_SIGNING_SECRET: signingSecret } = environment;
  const apiUrl = readApiUrl(environment);
  if (token === undefined && signingSecret === undefined) return null;
  if (!/^xoxb-[\w-]{8,250}$/.test(token ?? '')) {
    const allowed = 'give the bot token of your Slack app, which begins with xoxb-, or neither it nor a signing secret';
    throw refuseVariable('ASSENTRY_SLACK_TOKEN', foundOf(token), allowed);
  }
  if (!/^[A-Za-z0-9]{16,128}$/.test(signingSecret ?? '')) {
    const allowed =
      'give the signing secret of your Slack app, 16 to 128 letters and digits, or neither it nor a token';
    throw refuseVariable('ASSENTRY_SLACK_SIGNING_SECRET', foundOf(signingSecret), allowed);
  }
  return { token: token ?? '', signingSecret: signingSecret ?? '', apiUrl };
}

const foundOf = (text: string | undefined): string =>
  text === undefined ? 'nothing' : `something of another form (not shown), of ${text.length} characters`;

/** The token is sent there, so it must be over TLS or to this machine. */
function readApiUrl({ ASSENTRY_SLACK_API_URL: text = slackApi }: Environment): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && isPrivateAddress(text) && url.href === `${url.origin}${url.pathname}`)
    return url.href.replace(/\/*$/, '/');
  const finding = text.includes('@') ? 'something with an @, which may hold a password' : JSON.stringify(text);
  throw refuseVariable('ASSENTRY_SLACK_API_URL', finding, `give an https address such as ${slackApi}`);
}
