import { auditEntry } from '#audit/entries/rules/entry';
import type { NodeConfigured, NodeSettings } from '#audit/entries/rules/events';
import { refuseVariable, defaultLimits } from '#platform/config/config';
import { defaultProxies } from '#platform/config/serving';
import { canonicalJson } from '#platform/crypto/digest';
import { newId } from '#platform/crypto/random';
import type { Engine } from '#platform/nodes/verbs/engine';
import { chatChannels } from '#notify/chat/contract';
import { isTrial } from '#policies/contract/policy';
import { defaultSessions } from '#people/directory/contract/user';
import type { SharedSettings } from '#platform/nodes/store';
import { openWitnesses } from '#audit/tree/wiring/witnesses';
import { surroundingsOf, type ServerOptions } from '../options.ts';

/** What must be the same at all nodes. */
export function sharedSettings(options: ServerOptions, version: string): SharedSettings {
  const { environment, defaults, secondFactor } = surroundingsOf(options);
  return { version, environment, publicUrl: options.publicUrl, ...defaults, secondFactor };
}

/**
 * Writes under which settings this node starts, unless the latest such entry says the same: a hundred equal nodes, or
 * restarts, write one. Problem `config-invalid` refuses a trial on a database that has served as anything else: there
 * one person may decide alone.
 */
export async function recordSettings(
  { accessLog, ring, now }: Pick<Engine, 'accessLog' | 'ring' | 'now'>,
  options: ServerOptions,
  { version, keepsHead }: { version: string; keepsHead: boolean },
): Promise<void> {
  const settings = settingsOf(options, [...ring.kids].sort(), keepsHead);
  const event: NodeConfigured = { type: 'node.configured', version, settings };
  const entry = auditEntry(newId('entry'), now(), { kind: 'operator' }, event);
  await accessLog.appendUnless(entry, (latest) => {
    if (latest.type !== 'node.configured') return false;
    assertNotTrial(settings.environment, latest.settings.environment);
    return latest.version === version && canonicalJson(latest.settings) === canonicalJson(settings);
  });
}

function assertNotTrial(environment: string, before: string): void {
  if (!isTrial(environment) || isTrial(before)) return;
  const allowed = `this database has served as ${JSON.stringify(before)}: give that, or a database of its own to a trial`;
  throw refuseVariable('ASSENTRY_ENVIRONMENT', JSON.stringify(environment), allowed);
}

function settingsOf(options: ServerOptions, secrets: string[], keepsHead: boolean): NodeSettings {
  const { environment, defaults, secondFactor } = surroundingsOf(options);
  return {
    environment,
    ...defaults,
    secondFactor,
    sessions: { ...defaultSessions, ...options.sessions },
    limits: { ...defaultLimits, ...options.limits },
    secrets,
    checkedServers: Object.keys(options.tokenSources ?? {}).sort(),
    trustedProxies: [...(options.trustedProxies ?? defaultProxies)],
    publicUrl: options.publicUrl,
    mailServer: options.smtp?.host ?? null,
    votesInChat: chatChannels.some((name) => options[name]),
    webhookNetworks: [...(options.webhooks?.networks ?? [])],
    witnesses: openWitnesses(options.witnesses).map(({ verifier }) => verifier.name),
    streams: (options.streams?.streams ?? []).map(({ name }) => name),
    keepsHead,
    copiesHeads: Boolean(options.logCopies),
    lockedCopies: options.logBucket ? { bucket: options.logBucket.url, days: options.logBucket.days } : null,
  };
}
