import { frameWords } from '#locales/frame';
import { maxCounted, type CancelCause, type Status } from '#requests/asking/contract/elicitation';
import { formats, language, locale } from '../../language/language.ts';

const chosen = frameWords[language];

/** The words of the parts that all pages share. */
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

/** A count of open requests, which goes no further than `maxCounted`. */
const counted = (requests: number): string => `${formats.number(requests)}${requests < maxCounted ? '' : '+'}`;

export const shell = {
  ...chosen.shell,
  counted,
  waiting: (requests: number): string => chosen.shell.waiting(counted(requests), requests),
};

/** A role of the installation has one name in every language. */
export const nameRole = (role: string): string =>
  Object.entries(roleNames).find(([name]) => name === role)?.[1] ?? role;

/** Is it the built-in policy, with or without a version? */
export const isBuiltInPolicy = (policy: string): boolean => /^built-in(?:@|$)/.test(policy);

/** A policy by its name, with or without a version. The built-in one has a name in each language. */
export const namePolicy = (policy: string): string => (isBuiltInPolicy(policy) ? chosen.builtIn.policy : policy);

/** The stages that the built-in policy has are named in each language, too. */
export const nameStage = (name: string, policy: string): string =>
  (isBuiltInPolicy(policy) ? chosen.builtIn.stages[name] : undefined) ?? name;

export const nameStatus = (status: Status, cause: CancelCause | null): string =>
  (status === 'cancelled' && cause !== null ? chosen.causes[cause] : undefined) ?? chosen.endings[status];

/** "3 Aug 2026", a day of UTC. */
export const dayOf = (at: number): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(at);
