import { spoken } from '../../language/language.ts';
import * as english from './english.ts';
import * as englishWebhooks from './english-webhooks.ts';
import * as germanWebhooks from './german-webhooks.ts';
import * as frenchWebhooks from './french-webhooks.ts';
import * as englishTokens from './english-tokens.ts';
import * as germanTokens from './german-tokens.ts';
import * as frenchTokens from './french-tokens.ts';
import * as englishTools from './english-tools.ts';
import * as englishSystem from './english-system.ts';
import * as germanSystem from './german-system.ts';
import * as frenchSystem from './french-system.ts';
import * as german from './german.ts';
import * as french from './french.ts';
import * as germanTools from './german-tools.ts';
import * as frenchTools from './french-tools.ts';

/** The words of the pages about people, groups, servers, delegations and approvals that last. */
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
  stops,
  user,
  users,
  words,
} = spoken<typeof english>({ en: english, de: german, fr: french });

export const { deliveries, webhooks } = spoken<typeof englishWebhooks>({
  en: englishWebhooks,
  de: germanWebhooks,
  fr: frenchWebhooks,
});
/** The words of the tokens by which programs administer. */
export const { tokens } = spoken<typeof englishTokens>({ en: englishTokens, de: germanTokens, fr: frenchTokens });
/** The words of the pages of servers. */
export const { servers, tools } = spoken<typeof englishTools>({ en: englishTools, de: germanTools, fr: frenchTools });
/** The words of the page about the system, and of the parts of the settings. */
export const { purposes, system } = spoken<typeof englishSystem>({
  en: englishSystem,
  de: germanSystem,
  fr: frenchSystem,
});
