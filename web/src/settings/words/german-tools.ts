import { formatsIn } from '#platform/text/formats';
import type * as english from './english-tools.ts';

const { number } = formatsIn('de');

export const servers: typeof english.servers = {
  title: 'Server',
  lead: 'MCP-Server, die Anfragen stellen können. Richtlinien können die für einen Server Verantwortlichen fragen.',
  filter: 'Server suchen',
  filterNote: 'Nach Namen, mit seinen Schlüsseln',
  noMatch: 'Kein passender Server.',
  table: 'Server',
  name: 'Server',
  owner: 'Verantwortlich',
  ownerOf: (name) => `Verantwortlich für ${name}`,
  empty: 'Noch keine Server',
  emptyNote: 'Ein Server erscheint hier mit seinem ersten Schlüssel. Erstellen Sie unten einen.',
};

export const tools: typeof english.tools = {
  lead: 'Seine Tools, was in den letzten 30 Tagen aus Anfragen zu ihnen wurde und was Ihre Richtlinien zu einem Aufruf sagen.',
  table: 'Tools',
  empty: 'Noch keine Tools',
  emptyNote: 'Ein Tool erscheint hier, wenn das Gateway es gesehen hat, oder nach der ersten Anfrage dazu.',
  name: 'Tool',
  readOnly: 'Liest nach eigener Angabe nur',
  destructive: 'Kann nach eigener Angabe Daten zerstören',
  definition: 'Beschreibung',
  unseen: 'Nicht hinter dem Gateway',
  seen: 'Gesehen',
  changed: 'Geändert und gesperrt, bis jemand es annimmt',
  difference: 'Unterschied lesen und entscheiden',
  noRequest: 'Das Gateway fragt, wenn ein Client die Tools wieder auflistet.',
  outcomes: 'Anfragen',
  noOutcomes: 'Keine',
  counts: {
    open: (requests) => `${number(requests)} offen`,
    accepted: (requests) => `${number(requests)} freigegeben`,
    declined: (requests) => `${number(requests)} abgelehnt`,
    cancelled: (requests) => `${number(requests)} abgebrochen`,
    expired: (requests) => `${number(requests)} abgelaufen`,
  },
  passed: 'Aufrufe, die eine Richtlinie durchlässt, weil sie nur lesen, stehen im Protokoll und nicht hier.',
  rule: 'Jetzt',
  rules: { allow: 'Frei', requester: 'Mit Rückfrage', require: 'Mit Freigabe', deny: 'Verboten' },
  varies: 'Hängt vom Aufruf ab',
  by: (policy) => `durch ${policy}`,
  unknown: 'Nicht bekannt',
  change: 'Mit einem Entwurf ändern',
  changeOf: (tool) => `Entwurf für ${tool}`,
  choose: 'Wählen …',
  freeLater: 'Frei: nicht möglich, es kann nach eigener Angabe Daten zerstören',
  drafted: 'Entwurf gespeichert. Es ändert sich nichts, bis er veröffentlicht ist.',
  openDraft: (policy) => `Entwurf ${policy} öffnen`,
};
