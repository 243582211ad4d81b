import { gatewayWords } from '#locales/gateway';
import { notifyWebhooksWords } from '#locales/notify-webhooks';
import { peopleWords } from '#locales/people';
import { peopleTokensWords } from '#locales/people-tokens';
import { platformWords } from '#locales/platform';
import { language } from '../../language/language.ts';

/** Words of the pages about people, groups, servers, delegations and lasting approvals. */
export const {
  access,
  away,
  breakGlass,
  confirmation,
  grants,
  groups,
  keys,
  lookBacks,
  newUser,
  roles,
  spaces,
  user,
  users,
  words,
} = peopleWords[language];

export const stops = {
  ...peopleWords[language].stops,
  stop: (tool: string, server: string): string => peopleWords[language].stops.stop(tool || null, server || null),
};

export const { deliveries, webhooks } = notifyWebhooksWords[language];
/** Words of the tokens of programs that administer. */
export const { tokens } = peopleTokensWords[language];
/** Words of the pages of servers. */
export const { servers, tools } = gatewayWords[language];
/** Words of the page about the system, and of the parts of the settings. */
export const { providers, purposes, system } = platformWords[language];
