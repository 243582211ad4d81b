import * as english from '#locales/platform-warnings.en';
import type { NodeWarning } from '#platform/nodes/contract/node-warning';
import { namesOfSettings } from './setting-variables.ts';

export interface SaidWarning {
  what: string;
  /** What follows from it for approvals. */
  means: string;
  todo: string;
}

/** What a node warns of, and what to do about it. */
export function formatWarning(
  warning: NodeWarning,
  moment: (at: number) => string,
  words: typeof english = english,
): SaidWarning {
  const { means, todo } = words.warnings[warning.code];
  return { what: formatWhat(warning, moment, words), means, todo };
}

function formatWhat(
  warning: NodeWarning,
  moment: (at: number) => string,
  { version, warnings }: typeof english,
): string {
  switch (warning.code) {
    case 'clock-differs':
      return warnings[warning.code].what(Math.abs(warning.seconds), warning.seconds < 0);
    case 'notifications-stand-still':
      return warnings[warning.code].what(warning.changes, moment(warning.since));
    case 'mails-fail':
      return warnings[warning.code].what(moment(warning.since), warning.fault);
    case 'mail-server-fails':
    case 'address-fails':
      return warnings[warning.code].what(warning.fault);
    case 'provider-fails':
    case 'provider-untimed':
      return warnings[warning.code].what(warning.providers);
    case 'backup-missing':
      return warnings[warning.code].what(warning.at === null ? null : moment(warning.at));
    case 'loop-fails':
      return warnings[warning.code].what(warning.loops);
    case 'witness-silent':
    case 'witness-disagrees':
      return warnings[warning.code].what(warning.witnesses);
    case 'commands-by-part':
      return warnings[warning.code].what(warning.policies);
    case 'nodes-differ':
      return warnings[warning.code].what(namesOfSettings(warning.settings, version));
    case 'keys-expire':
      return warnings[warning.code].what(warning.keys, moment(warning.at));
    case 'stream-fails':
      return warnings[warning.code].what(warning.streams);
    case 'reports-lost':
      return warnings[warning.code].what(warning.reports, moment(warning.since));
    default:
      return warnings[warning.code].what;
  }
}
