import { refuseVariable } from '#platform/config/config';
import type { Environment } from '#platform/config/env';
import { channels } from '../../contract/channels.ts';

/** The app in Microsoft Teams, which is a bot of one tenant. */
export interface TeamsConfig {
  appId: string;
  appSecret: string;
  /** The tenant whose members can vote. */
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

/** Members have ids of the same form. */
const id = channels.msteams.chat.member;

/** All three, or null if there is none; problem `config-invalid` does not repeat the secret. */
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

/** The token is sent there, so it must be over TLS. */
function readServiceUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'https:' && url.href === `${url.origin}${url.pathname}`) return url.href.replace(/\/*$/, '/');
  const allowed = `give an https address such as ${defaultAddresses.serviceUrl}`;
  throw refuseVariable('ASSENTRY_MSTEAMS_SERVICE_URL', JSON.stringify(text), allowed);
}
