import type { TimelineActor, TimelineEvent } from '#requests/inbox/contract/inbox';
import { channels, isChat } from '#notify/chat/contract';
import type { NotificationChannel, NotificationKind } from '#notify/contract/notification';
import type { Action } from '#requests/asking/contract/elicitation';
import { germanRefusals } from '#messages/german-refusals';
import type { Meaning } from '#requests/voting/contract/quorum';
import { formatsIn } from '#platform/text/formats';
import type * as english from './english-timeline.ts';

const { all, number } = formatsIn('de');

type Erasure = Extract<TimelineEvent, { type: 'content.erased' }>;

export const history: typeof english.history = { title: 'Verlauf' };

export const formatEvent: typeof english.formatEvent = (by, event) =>
  (sentences[event.type] as (who: string, event: TimelineEvent) => string)(nameActor(by), event);

const sentences: english.Sentences = {
  'elicitation.answered': formatAnswer,
  'elicitation.voted': (who, event) => `${who} hat ${formatVote(event)}`,
  'elicitation.decided': (who, event) => `${who} hat es ${event.action === 'accept' ? 'erlaubt' : 'abgelehnt'}`,
  'elicitation.votes-voided': (who, event) =>
    `${event.user ?? gone} ist hier nicht mehr stimmberechtigt; die Stimme ist ungültig`,
  'elicitation.edited': (who, event) =>
    `${who} hat die Anfrage geändert (Fassung ${number(event.revision)}); frühere Stimmen sind ungültig`,
  'elicitation.approver-added': (who, event) => `${who} hat ${event.user ?? gone} als freigebende Person hinzugefügt`,
  'elicitation.watched': (who, event) =>
    event.isWatching ? `${who} prüft die Anfrage` : `${who} prüft die Anfrage nicht mehr`,
  'elicitation.informed': (who, event) =>
    `${who} hat die Antwort der anfragenden Person übermittelt${event.channel === 'told' ? ', nach Angabe des Agenten' : ''}`,
  'break-glass.reviewed': (who, event) =>
    `${who} hat die Notfallfreigabe geprüft: ${event.isJustified ? 'gerechtfertigt' : 'nicht gerechtfertigt'}`,
  'look-back.reviewed': (who, event) =>
    `${who} hat sie als Stichprobe geprüft: ${event.shouldHaveAsked ? 'es hätte jemand gefragt werden sollen' : 'in Ordnung'}`,
  'elicitation.cancelled': (who, event) =>
    event.isStopped ? `${who} hat sie mit dem Notaus gestoppt` : cancelled[event.cause](who),
  'content.erased': (who, event) => `${who} hat den Inhalt gelöscht${grounds[event.ground]}`,
  'call.lapsed': (who, event) => `Die Freigabe galt nicht mehr, als sie genutzt werden sollte: ${formatLapse(event)}`,
  'call.applied': (who, event) =>
    event.refused === null
      ? 'Die Änderung wurde ausgeführt'
      : `Die Änderung wurde nicht ausgeführt: ${germanRefusals[event.refused]}`,
  'elicitation.caller': (who, event) =>
    event.caller === 'gone'
      ? 'Die Verbindung zum Aufrufer ist abgebrochen; er kann zurückkommen'
      : 'Der Aufrufer ist wieder da',
  'elicitation.escalated': (who, event) => {
    if (event.to !== 'open') return 'Niemand hat entschieden: Die Anfrage wurde abgelehnt';
    return event.inPlace === null
      ? 'Niemand hat entschieden: Jetzt können auch andere abstimmen'
      : `Niemand hat entschieden: ${event.inPlace} tritt an die Stelle der Stufe, und die Abstimmung beginnt neu`;
  },
  'elicitation.postponed': (who) => `${who} hat die Startzeit geändert`,
  'elicitation.extended': (who) => `${who} hat die Frist verlängert`,
  'grant.revoked': (who, event) => `${who} hat die Dauerfreigabe ${event.grant} beendet`,
  'grant.suspended': (who, event) => `Das Tool hat sich geändert: Die Dauerfreigabe ${event.grant} ist ausgesetzt`,
  'grant.reviewed': (who, event) => `${who} hat die Dauerfreigabe ${event.grant} bestätigt`,
  'elicitation.opened': (who) => `${who} hat angefragt`,
  'elicitation.visited': (who) => `${who} hat die Seite als anfragende Person geöffnet`,
  'elicitation.vote-withdrawn': (who) => `${who} hat die Stimme zurückgezogen`,
  'elicitation.commented': (who) => `${who} hat kommentiert`,
  'elicitation.inquired': (who) => `${who} hat nachgefragt`,
  'access.looked': (who) => `${who} hat sie mit Begründung gelesen`,
  'elicitation.break-glass': (who) => `${who} hat per Notfallfreigabe an der Richtlinie vorbei freigegeben`,
  'elicitation.reminded': () => 'Erinnerung gesendet',
  'elicitation.started': () => 'Geplanter Start erreicht',
  'elicitation.expired': () => 'Abgelaufen: Niemand hat rechtzeitig entschieden',
  'call.claimed': (who) => `${who} hat das Tool gestartet`,
  'call.released': (who) => `${who} hat den Aufruf vor dem Start des Tools zurückgegeben`,
  'call.mismatched': (who) => `${who} wollte etwas ausführen, das nicht freigegeben war; nichts wurde ausgeführt`,
  'call.revoked': (who) => `${who} hat die Freigabe widerrufen, bevor sie genutzt wurde`,
  'call.completed': () => 'Das Tool ist fertig; sein Ergebnis liegt für den Aufrufer bereit',
  'page.moved': (who) => `${who} hat die Seite in einem anderen Browser geöffnet; er gilt an Stelle des ersten`,
  'callback.late': () => 'Ein Dienst hat nach dem Ende gemeldet; kein Aufruf hat es erhalten',
  'callback.unfit': () => 'Ein Dienst hat etwas gemeldet, das nicht passt; es wurde nicht angenommen',
  'call.settled': () => 'Der Aufrufer hat das Ergebnis erhalten',
};

export const formatDelivery: typeof english.formatDelivery = ({ channel, kind, state, to }) => {
  const way = isChat(channel) ? `in ${channels[channel].label}` : ways[channel];
  const former = formerly[isChat(channel) ? 'email' : channel];
  const whom = `${all([...new Set(to.map((name) => name ?? former))])} ${way}`;
  return state === 'sent'
    ? `Assentry hat ${whom} benachrichtigt: ${news[kind]}`
    : `Assentry konnte ${whom} nicht benachrichtigen und hat aufgegeben: ${news[kind]}`;
};

const formerly = {
  email: 'eine ehemalige Person',
  push: 'jemanden',
  webhook: 'einen entfernten Empfänger',
} satisfies Record<NotificationChannel, string>;

const ways = {
  email: 'per E-Mail',
  push: 'im Browser',
  webhook: 'per Webhook',
} satisfies Record<NotificationChannel, string>;

const news = {
  turn: 'Eine Entscheidung ist nötig',
  reminder: 'Eine Entscheidung ist noch immer nötig',
  outcome: 'wie es ausging',
  review: 'eine Richtlinie zur Prüfung',
  key: 'ein Schlüssel, der abläuft',
  tool: 'ein Tool, das sich geändert hat',
  members: 'Mitglieder, die zu bestätigen sind',
  report: 'eine Meldung, die kein Aufruf erhielt',
  'sign-in': 'eine geänderte Anmeldung',
  link: 'ein Link für ein Passwort',
  test: 'ein Test',
} satisfies Record<NotificationKind, string>;

const grounds = {
  asked: ': Die anfragende Person hat es verlangt',
  mistake: ': Er hätte nie hier stehen dürfen',
  law: ': Ein Gesetz verlangt es',
  policy: ': Seine Aufbewahrungszeit ist abgelaufen',
} satisfies Record<Erasure['ground'], string>;

function formatLapse({ user, policy, grant }: Extract<TimelineEvent, { type: 'call.lapsed' }>): string {
  if (policy !== null) return `${policy} lehnt das jetzt ab`;
  if (grant !== null) return `die Dauerfreigabe ${grant} ist beendet`;
  return `${user?.name ?? 'eine freigebende Person'} ist hier nicht mehr stimmberechtigt`;
}

const gone = 'Ehemalige Person';

export function nameActor(actor: TimelineActor): string {
  if (actor.kind === 'policy')
    return `Die Richtlinie ${actor.policy}${actor.grant === null ? '' : ` (Dauerfreigabe ${actor.grant})`}`;
  return 'name' in actor ? (actor.name ?? gone) : actors[actor.kind];
}

const actors = {
  requester: 'Die anfragende Person',
  service: 'Der externe Dienst',
  timer: 'Assentry',
  directory: 'Das Verzeichnis',
  operator: 'Der Betrieb',
  provider: 'Ein Identitätsanbieter',
  stranger: 'Jemand Unbekanntes',
};

type Vote = Extract<TimelineEvent, { type: 'elicitation.voted' }>;

function formatVote({ action, for: absent, meanings, issuer, keyMaker, inChat }: Vote): string {
  const verb = action === 'accept' ? 'freigegeben' : 'abgelehnt';
  return `${absent === null ? '' : `für ${absent.name ?? gone} `}${inChat ? 'im Chat ' : ''}${verb}${formatMeanings(meanings)}${issuer === null ? '' : `, angemeldet über ${issuer.name ?? gone}`}${keyMaker === null ? '' : `; den anfragenden Schlüssel hat ${keyMaker.name ?? gone} erstellt`}`;
}

const formatMeanings = (meanings: Meaning[]): string =>
  meanings.every((meaning) => meaning === 'approved') ? '' : ` (${all(meanings.map((meaning) => signed[meaning]))})`;

const signed: Record<Meaning, string> = {
  approved: 'freigegeben',
  reviewed: 'geprüft',
  responsible: 'verantwortlich',
  witnessed: 'bezeugt',
};

const answers: Record<Action, string> = { accept: 'angenommen', decline: 'abgelehnt', cancel: 'verworfen' };

function formatAnswer(who: string, event: Extract<TimelineEvent, { type: 'elicitation.answered' }>): string {
  const answer = answers[event.action];
  switch (event.channel) {
    case 'relayed':
      return `${who} hat die Antwort der anfragenden Person übermittelt: ${answer}`;
    case 'told':
      return `${who} hat die Antwort der anfragenden Person nach Angabe des Agenten übermittelt: ${answer}`;
    case 'callback':
      return `${who} hat das Ergebnis gemeldet: ${answer}`;
    case 'page':
      return event.to === 'open'
        ? `${who} hat zugestimmt, zur Adresse zu gehen`
        : `${who} hat auf der Seite geantwortet: ${answer}`;
  }
}

const cancelled = {
  user: (who: string) => `${who} hat gemeldet, dass die anfragende Person sie verworfen hat`,
  superseded: () => 'Eine neuere Anfrage hat sie ersetzt',
  caller_gone: (who: string) => `${who} hat sie zurückgezogen, weil der Aufrufer weg war`,
  admin: (who: string) => `${who} hat die Anfrage abgebrochen`,
};
