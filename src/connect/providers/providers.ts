import { adyen } from './adyen.ts';
import { atlassian } from './atlassian.ts';
import { docusign } from './docusign.ts';
import { github } from './github.ts';
import { google } from './google.ts';
import { microsoft } from './microsoft.ts';
import type { ProviderInput } from './provider.ts';
import { slack } from './slack.ts';
import { standard } from './standard.ts';
import { stripe } from './stripe.ts';

/** Descriptions that come with Assentry, by the name that `use` takes in the settings. */
export const presets: ReadonlyMap<string, ProviderInput> = new Map(
  Object.entries({ adyen, atlassian, docusign, github, google, microsoft, slack, standard, stripe }),
);
