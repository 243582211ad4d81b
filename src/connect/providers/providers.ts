import { atlassian } from './atlassian.ts';
import { github } from './github.ts';
import { google } from './google.ts';
import { microsoft } from './microsoft.ts';
import type { ProviderInput } from './provider.ts';
import { slack } from './slack.ts';

/** Descriptions that come with Assentry, by the name that `use` takes in the settings. */
export const presets: ReadonlyMap<string, ProviderInput> = new Map(
  Object.entries({ atlassian, github, google, microsoft, slack }),
);
