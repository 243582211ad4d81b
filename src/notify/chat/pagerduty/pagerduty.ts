import type { Language } from '#platform/text/language';
import { unsigned, type WriteCall } from '../../webhooks/channel/webhooks.ts';
import { mailWords } from '../../mail/words/mail-words.ts';

interface Sentences {
  summary: (tool: string, server: string) => string;
}

/** Text of an incident. */
export const sentences: Record<Language, Sentences> = {
  en: { summary: (tool, server) => `No one has decided yet: ${tool} of ${server}` },
  de: { summary: (tool, server) => `Noch nicht entschieden: ${tool} von ${server}` },
  fr: { summary: (tool, server) => `Pas encore décidé : ${tool} de ${server}` },
};

const severities = { low: 'warning', medium: 'error', high: 'critical' } as const;

/**
 * An incident for each request that was escalated, in version 2 of PagerDuty's Events API; it is resolved when the
 * request ends.
 */
export const writePagerDutyEvent: WriteCall = ({ type, data }, { secret, language }, { id }) => {
  const event = { routing_key: secret ?? '', client: 'Assentry' };
  if (data === null) {
    const payload = { summary: mailWords[language].test, source: 'assentry', severity: 'info' };
    return unsigned({ ...event, event_action: 'trigger', dedup_key: id, payload });
  }
  const { request, tool, server, risk, policy, status, escalated, url } = data;
  if (type === 'request.waiting' || escalated === 0) return null;
  const incident = { ...event, dedup_key: request };
  if (status !== 'open') return unsigned({ ...incident, event_action: 'resolve' });
  const payload = {
    summary: sentences[language].summary(tool, server),
    source: server,
    component: tool,
    class: policy,
    severity: severities[risk],
  };
  return unsigned({ ...incident, event_action: 'trigger', client_url: url, payload });
};
