/**
 * Arguments by which a tool that claims to read can do anything: programs and statements, places that it goes to or writes to,
 * and what it sends there. Of such a call no claim of a server is believed.
 */
const whole =
  /^(?:pipeline|quer(?:y|ies)|sql|graphql|mutation|statements?|codes?|scripts?|commands?|cmd|expr(?:ession)?s?|function|program|eval|where|filter|body|payload|headers?|template|webhook|callback|endpoint|host(?:name)?|address|domain|server|connection|connection ?string|dsn|path(?:name)?s?|files?|file ?names?|folder|dir|directory|destination|dest|output|bucket|recipients?)$/;
/** At the end of a name of several words. */
const ending =
  /(?:^| )(?:url|uri|link|href|path|paths|file|files|filename|folder|dir|directory|query|sql|script|code|command|string|endpoint|host|hostname|expression|pipeline|webhook|template)s?$/;
const beginning = /^(?:file|output|destination|callback|webhook|connection|target url|local) /;

const isFreeForm = (name: string): boolean => {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join(' ');
  return whole.test(words) || ending.test(words) || beginning.test(words);
};

/** Is one of these, at any depth, an argument of that kind? An address as a value is one under any name. */
export const hasFreeForm = (args: unknown): boolean =>
  Array.isArray(args)
    ? args.some(hasFreeForm)
    : typeof args === 'object' && args !== null
      ? Object.entries(args).some(([name, value]) => isFreeForm(name) || hasFreeForm(value))
      : typeof args === 'string' && /^[a-z][a-z0-9+.-]*:\/\//i.test(args.trim());
