import { formatsIn } from '#platform/text/formats';
import type * as english from './english-together.ts';

const { count, number } = formatsIn('de');

/** Of several requests that are decided together. */
export const together: typeof english.together = {
  bar: 'Ausgewählte Anfragen',
  chosen: (chosen) => `${number(chosen)} ausgewählt`,
  go: 'Gemeinsam prüfen',
  all: 'Alle dieses Tools auswählen',
  clear: 'Auswahl aufheben',
  title: 'Gemeinsam prüfen',
  titleOf: (total, tool) => `${number(total)} × ${tool}`,
  lead: 'Lesen Sie, worin sie sich unterscheiden. Ein Klick entscheidet über alle angehakten, und für jede wird eine eigene Stimme protokolliert.',
  loading: 'Anfragen werden geladen',
  list: 'Anfragen zur Entscheidung',
  requester: 'angefragt von',
  open: 'Öffnen',
  openOf: (row, subject) => `Anfrage ${number(row)} von ${subject} öffnen`,
  missing: (missing) =>
    `${count(missing, { one: 'Anfrage ließ', other: 'Anfragen ließen' })} sich nicht laden und ${missing === 1 ? 'fehlt' : 'fehlen'} hier.`,
  none: 'Keine davon lässt sich gemeinsam freigeben. Öffnen Sie sie einzeln, oder lehnen Sie sie ab.',
  included: 'Entscheiden',
  include: (row) => `Anfrage ${number(row)} mit den anderen entscheiden`,
  requesterColumn: 'Angefragt von',
  sentence: 'Frage',
  timeLeft: 'Restzeit',
  request: 'Anfrage',
  decide: 'Ihre Entscheidung',
  comment: 'Kommentar',
  commentNote: 'Gilt für alle. Zum Ablehnen nötig. Für Agenten und Anfragende sichtbar.',
  commentMissing: 'Sagen Sie, warum Sie ablehnen, damit Agenten und Anfragende wissen, was sie ändern müssen.',
  consequence:
    'Ihre Stimme zählt für jede Anfrage: Ein Aufruf läuft, sobald alle Freigaben vorliegen, und endet bei zu vielen Ablehnungen. Was sich seit dem Lesen geändert hat, wird übersprungen.',
  approve: (total) => (total === 1 ? 'Freigeben' : `Alle ${number(total)} freigeben`),
  decline: (total) => (total === 1 ? 'Ablehnen' : `Alle ${number(total)} ablehnen`),
  sending: 'Ihre Stimmen werden gesendet.',
  done: (done, total) =>
    done === total
      ? `${total === 1 ? 'Ihre Stimme wurde' : `Ihre ${number(total)} Stimmen wurden`} gezählt.`
      : `${number(done)} von ${count(total, { one: 'Stimme', other: 'Stimmen' })} gezählt.`,
  counted: 'Ihre Stimme ist gezählt. Andere müssen noch entscheiden.',
  backToInbox: 'Zurück zum Eingang',
  apart: 'Einzeln freizugeben; Ablehnen gilt auch für sie',
  reasons: {
    'high-risk': 'Das Risiko ist hoch.',
    'not-mine': 'Sie können gerade nicht darüber abstimmen.',
    'other-tool': 'Sie betrifft ein anderes Tool.',
    'other-policy': 'Für sie gilt eine andere Richtlinie.',
    form: 'Sie verlangt eine Antwort.',
    url: 'Sie öffnet eine Adresse.',
    long: 'Sie enthält lange Werte, die Sie öffnen müssen.',
    proof: 'Die Richtlinie verlangt für jede, dass Sie sich ausweisen.',
    typed: 'Die Richtlinie verlangt, dass Sie eintippen, worum es geht.',
  },
};

export const declineAll: typeof english.declineAll = {
  title: 'Alle passenden ablehnen',
  lead: 'Ablehnen ist bei jedem Risiko unbedenklich: Für jede Anfrage wird eine eigene Stimme protokolliert, mit demselben Grund.',
  everything: 'Alles, was auf Sie wartet, ohne Filter.',
  matching: (filters) => `Was passt: ${filters.join(' · ')}`,
  nothing: 'Nichts davon wartet auf Ihre Stimme.',
  times: (total) => `${number(total)} ×`,
  cut: (most) => `Es gibt mehr: Das hier sind die ersten ${number(most)}.`,
  reason: 'Grund',
  reasonNote: 'Nötig. Für alle betroffenen Agenten und Anfragenden sichtbar.',
  decline: (total) => (total === 1 ? 'Ablehnen' : `Alle ${number(total)} ablehnen`),
  stop: 'Anhalten',
  progress: (done, total) => `${number(done)} von ${number(total)} gesendet.`,
  done: (done, total) => `${number(done)} von ${number(total)} von Ihnen abgelehnt.`,
  left: (left) =>
    `${count(left, { one: 'Anfrage bleibt', other: 'Anfragen bleiben' })}, wie sie ${left === 1 ? 'war' : 'waren'}.`,
  refused: (refused) => `${count(refused, { one: 'Anfrage ließ', other: 'Anfragen ließen' })} sich nicht ablehnen`,
};
