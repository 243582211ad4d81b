/** The variables behind the settings in which nodes can differ. */
const variables: Partial<Record<string, string>> = {
  environment: 'ASSENTRY_ENVIRONMENT',
  publicUrl: 'ASSENTRY_PUBLIC_URL',
  readingTime: 'ASSENTRY_READING_TIME',
  requester: 'ASSENTRY_REQUESTER',
  secondFactor: 'ASSENTRY_SECOND_FACTOR',
  unknownTools: 'ASSENTRY_UNKNOWN_TOOLS',
};

/** What an operator changes to make this setting the same everywhere; of the version, `version` in the reader's words. */
export const namesOfSettings = (settings: readonly string[], version: string): string[] =>
  settings.map((name) => (name === 'version' ? version : (variables[name] ?? name)));
