import { frameWords } from '#locales/frame';
import { maxCounted, type CancelCause, type Status } from '#requests/asking/contract/elicitation';
import { formats, language, locale } from '../../language/language.ts';

const chosen = frameWords[language];

/** Words of the parts that all pages share. */
export const {
  callers,
  chooseUser,
  digits,
  linkPage,
  newPassword,
  notFound,
  places,
  problems,
  risks,
  roleNames,
  someoneGone,
  times,
} = chosen;

/** Number of open requests, up to `maxCounted`. */
const counted = (requests: number): string => `${formats.number(requests)}${requests < maxCounted ? '' : '+'}`;

export const shell = {
  ...chosen.shell,
  counted,
  waiting: (requests: number): string => chosen.shell.waiting(counted(requests), requests),
};

/** Name of a role; one of the installation is the same in every language. */
export const nameRole = (role: string): string =>
  Object.entries(roleNames).find(([name]) => name === role)?.[1] ?? role;

/** Is it the built-in policy, with or without a version? */
export const isBuiltInPolicy = (policy: string): boolean => /^built-in(?:@|$)/.test(policy);

/** Name of a policy, with or without a version; the built-in one is translated. */
export const namePolicy = (policy: string): string => (isBuiltInPolicy(policy) ? chosen.builtIn.policy : policy);

/** Name of a stage; those of the built-in policy are translated. */
export const nameStage = (name: string, policy: string): string =>
  (isBuiltInPolicy(policy) ? chosen.builtIn.stages[name] : undefined) ?? name;

export const nameStatus = (status: Status, cause: CancelCause | null): string =>
  (status === 'cancelled' && cause !== null ? chosen.causes[cause] : undefined) ?? chosen.endings[status];

/** A day of UTC, such as "3 Aug 2026". */
export const dayOf = (at: number): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(at);
