import { formatsIn } from '#platform/text/formats';
import type * as english from './english.ts';

const { count, duration } = formatsIn('de');

export const proof: typeof english.proof = {
  codeTitle: 'Code eingeben',
  codeHeading: 'Geben Sie den Code aus Ihrem MCP-Client ein',
  codeNote:
    'Ihr MCP-Client hat mit dem Link zu dieser Seite sechs Ziffern gezeigt. Sie belegen, dass die Anfrage für Sie ist.',
  code: 'Code',
  open: 'Anfrage öffnen',
  wrongCode: (tries) =>
    `Dieser Code stimmt nicht. Prüfen Sie ihn: noch ${count(tries, { one: 'Versuch', other: 'Versuche' })}.`,
  closedTitle: 'Diese Seite ist geschlossen',
  lockedTitle: 'Dieser Link ist gesperrt',
  lockedHeading: 'Zu viele falsche Codes',
  lockedNote: (opensIn) =>
    `${opensIn === null ? 'Dieser Link nimmt keinen Code mehr an.' : `Dieser Link nimmt in ${duration(opensIn)} wieder einen Code an.`} Hier wurde nichts entschieden.`,
  lockedAdvice:
    'Um gleich weiterzumachen, lassen Sie das Tool in Ihrem MCP-Client noch einmal fragen. Er zeigt einen neuen Link und nach falschen Codes einen neuen Code; beide gelten sofort.',
  noCookieTitle: 'Dieser Browser behält keine Cookies',
  noCookieHeading: 'Erlauben Sie Cookies für diese Seite',
  noCookieNote:
    'Dieser Browser hat das Cookie nicht zurückgesendet, an dem die Seite ihn wiedererkennt. Was Sie gesendet haben, wurde nicht angesehen, und nichts wurde entschieden.',
  noCookieAdvice:
    'Erlauben Sie Cookies für diese Adresse, oder nehmen Sie einen anderen Browser. Öffnen Sie dann den Link noch einmal.',
  personTitle: 'Weisen Sie nach, dass Sie es sind',
  personHeading: 'Weisen Sie nach, dass diese Anfrage für Sie ist',
  personNote:
    'Diese Anfrage ist nur für eine Person. Melden Sie sich in der Konsole als diese Person an, und machen Sie dann hier weiter.',
  signIn: 'Anmelden',
  signedIn: 'Ich habe mich angemeldet',
  wrongPerson:
    'Hier ist niemand angemeldet, oder nicht die gefragte Person. Wenn Sie es sind, bitten Sie jemanden mit Verwaltungsrechten, Sie mit dem Namen zu verknüpfen, unter dem das Tool Sie kennt.',
  notThisCode:
    'Nichts wurde geöffnet. Der Code kann falsch sein, ein neuerer kann ihn ersetzt haben, oder die Anfrage ist zu Ende. Wenn es Ihre ist, lassen Sie das Tool noch einmal fragen: Dann sehen Sie den Link und den Code, die jetzt gelten.',
  notThisPerson:
    'Nichts wurde geöffnet. Vielleicht ist hier niemand angemeldet, oder nicht die gefragte Person, oder die Anfrage ist zu Ende. Wenn es Ihre ist, lassen Sie das Tool noch einmal fragen, oder bitten Sie jemanden mit Verwaltungsrechten, Sie mit dem Namen zu verknüpfen, unter dem das Tool Sie kennt.',
  closedHeading: 'Sie können diese Anfrage hier nicht öffnen',
  closedNote:
    'Das Tool hat nicht so angegeben, wer Sie sind, dass es sich prüfen lässt. Daher kann diese Seite nicht feststellen, dass die Anfrage für Sie ist. Nichts wurde entschieden.',
  closedAdvice:
    'Antworten Sie stattdessen in Ihrem MCP-Client, oder bitten Sie die Betreiber des Tools, zu prüfen, wer es benutzt.',
};

export const question: typeof english.question = {
  title: (name) => `${name} braucht Ihre Antwort`,
  notSent: (title) => `Nicht gesendet: ${title}`,
  needsAnswer: 'braucht Ihre Antwort',
  question: 'Anfrage',
  agent: 'Grund des Agenten (ungeprüft)',
  what: 'Was ausgeführt wird',
  tool: 'Das Tool',
  withArguments: 'mit',
  withoutArguments: 'ohne Argumente',
  who: 'Angefragt von',
  server: 'Der MCP-Server',
  runs: 'Er führt aus:',
  requester: 'Sie werden gefragt als',
  until: 'Antwort bis',
  remaining: (milliseconds) => `noch ${duration(milliseconds)}`,
  untilNote: 'Nur Sie können antworten. Ohne Antwort läuft die Anfrage ab, und das Tool läuft nicht.',
  nothingSent: 'Noch wurde nichts gesendet',
  kept: 'Ihre Eingaben sind noch da. Prüfen Sie diese Felder:',
  keptWithoutSecrets: 'Ihre Eingaben sind noch da, außer Geheimnissen. Prüfen Sie diese Felder:',
  leaving: 'Sie verlassen Assentry und gehen zu',
  imitates: (host) => [
    'Dieser Name ahmt vielleicht einen anderen nach: Er liest sich als ',
    host,
    '. Gehen Sie nur weiter, wenn Sie genau diesen Namen erwartet haben.',
  ],
  insecure: 'Die Verbindung dorthin ist nicht verschlüsselt.',
  address: 'Vollständige Adresse',
  goTo: (host) => `Weiter zu ${host}`,
  send: 'Antwort senden',
  accept: 'Annehmen',
  decline: 'Ablehnen',
  cancel: 'Abbrechen',
  acceptUrl: '„Weiter“ führt Sie dorthin; das Tool macht weiter, wenn die andere Seite das Ergebnis meldet.',
  acceptForm: (server) => ['Ihre Antwort geht an ', server, ', und das Tool macht damit weiter.'],
  others: '„Ablehnen“ sagt nein. „Abbrechen“ beendet die Anfrage ohne Antwort.',
};

export const credential: typeof english.credential = {
  signInTitle: 'Weisen Sie nach, dass dieser Link für Sie ist',
  signInNote:
    'Mit diesem Link gibt eine Person ihre Zugangsdaten für einen Server ein. Melden Sie sich in der Konsole als diese Person an, und machen Sie dann hier weiter.',
  wrongPerson:
    'Hier ist niemand angemeldet, oder der Link ist für jemand anderen. Wenn es Ihrer ist, bitten Sie jemanden mit Verwaltungsrechten, Sie mit dem Namen zu verknüpfen, unter dem Ihr MCP-Client Sie anmeldet.',
  title: (server) => `Ihre Zugangsdaten für ${server}`,
  note: [
    'Ihr MCP-Client ruft ',
    ' für Sie auf. Geben Sie ein, woran dieser Server Sie erkennt, zum Beispiel ein Zugriffstoken oder einen API-Schlüssel.',
  ],
  who: 'Gespeichert für',
  label: 'Zugangsdaten',
  advice:
    'Sie werden verschlüsselt gespeichert und nur an diesen Server gesendet, in Ihren Aufrufen. Niemandem werden sie noch einmal gezeigt.',
  wrong:
    'Geben Sie die Zugangsdaten in einer Zeile ein, ohne Zeichen, die sich nicht senden lassen. Nichts wurde gespeichert.',
  store: 'Zugangsdaten speichern',
  stored: 'Ihre Zugangsdaten sind gespeichert',
  storedNote: (server) =>
    `Gehen Sie zurück zu Ihrem MCP-Client, und rufen Sie ${server} noch einmal auf. Sie können diese Seite schließen.`,
  manage: 'In Ihrem Profil ersetzen oder entfernen',
};

export const field: typeof english.field = {
  optional: 'optional',
  choose: 'Auswählen…',
  noAnswer: 'Keine Antwort',
  yes: 'Ja',
  no: 'Nein',
};

export const result: typeof english.result = {
  headings: { accept: 'Ihre Antwort wurde gesendet', decline: 'Sie haben abgelehnt', cancel: 'Sie haben abgebrochen' },
  sentences: {
    accept: 'hat Ihre Antwort, und das Tool macht weiter.',
    decline: 'wurde mitgeteilt, dass Sie abgelehnt haben.',
    cancel: 'wurde mitgeteilt, dass Sie nicht geantwortet haben.',
  },
  close: 'Sie können diese Seite schließen und zu Ihrem MCP-Client zurückkehren.',
  receipt: 'Beleg herunterladen',
  receiptNote: 'signierter Nachweis Ihrer Antwort, offline prüfbar.',
  ended: {
    headings: {
      accepted: 'Diese Anfrage ist beantwortet',
      declined: 'Diese Anfrage wurde abgelehnt',
      cancelled: 'Diese Anfrage wurde abgebrochen',
      expired: 'Diese Anfrage ist abgelaufen',
    },
    sentences: {
      accepted: 'Sie wurde hier oder in Ihrem MCP-Client beantwortet, und das Tool hat diese Antwort.',
      declined: 'Sie wurde hier oder in Ihrem MCP-Client abgelehnt, und das Tool weiß es.',
      cancelled: 'Sie endete ohne Antwort: durch Sie, durch das Tool oder durch die Administration.',
      expired:
        'Es gab rechtzeitig keine Antwort, und das Tool weiß es. Wenn Sie es noch möchten, lassen Sie das Tool noch einmal fragen.',
    },
    unsent: 'Was Sie gerade gesendet haben, hat nichts geändert: Die Anfrage war schon vorbei.',
  },
  callback: 'Sie können diese Seite schließen',
  callbackNote:
    'Hier ist nichts zu tun: Der Dienst meldet das Ergebnis selbst. In Ihrem MCP-Client sehen Sie, was daraus wurde.',
  trouble:
    'Öffnen Sie den Link noch einmal, um fortzufahren. Passiert es wieder, nennen Sie dem Betrieb von Assentry diese Nummer:',
  invalid: 'Dieser Link ist ungültig',
  invalidNote:
    'Er wurde vielleicht schon benutzt, ist abgelaufen oder unvollständig. Durch das Öffnen wurde nichts geändert.',
  invalidAdvice:
    'Wenn Sie gerade geantwortet haben, zählt Ihre Antwort, und Ihr MCP-Client zeigt das Ergebnis. Wenn nicht, lassen Sie das Tool noch einmal fragen.',
};
