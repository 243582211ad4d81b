import type { ProblemCode } from '#platform/model/problem';

/** The sentence of every problem code, in German. */
export const germanProblems: Record<ProblemCode, string> = {
  INVALID_INPUT: 'Prüfen Sie die Eingabe: Ein Wert ist ungültig.',
  ELICITATION_NOT_SUPPORTED: 'Verwenden Sie einen anderen Modus: Dieser Client kann so nicht fragen.',
  ELICITATION_TIMEOUT: 'Fragen Sie noch einmal an: Niemand hat rechtzeitig geantwortet.',
  'already-closed': 'Diese Anfrage wurde schon entschieden oder ist abgeschlossen.',
  'not-now': 'Laden Sie die Anfrage neu: Diese Aktion ist jetzt nicht möglich.',
  'already-voted': 'Sie haben über diese Anfrage schon abgestimmt.',
  'digest-mismatch': 'Lesen Sie die Anfrage noch einmal, und entscheiden Sie dann: Sie hat sich geändert.',
  'idempotency-mismatch':
    'Verwenden Sie einen neuen Idempotenzschlüssel: Dieser wurde schon für eine andere Anfrage benutzt.',
  'already-executed': 'Fragen Sie für eine weitere Ausführung noch einmal an: Diese Freigabe ist bereits verbraucht.',
  'not-claimed': 'Beanspruchen Sie diesen Aufruf zuerst: Nur der Versuch, der ihn hält, kann ihn beenden.',
  'approval-lapsed': 'Fragen Sie noch einmal an: Diese Freigabe gilt nicht mehr.',
  stopped: 'Warten Sie, bis die Administration den Stopp aufhebt: Bis dahin läuft hier nichts.',
  'outcome-unknown':
    'Prüfen Sie das Ergebnis, bevor Sie erneut anfragen: Dieser Aufruf wurde freigegeben und gestartet, sein Ende ist aber nicht bekannt.',
  'write-conflict':
    'Versuchen Sie es noch einmal: Zu viele Änderungen kamen gleichzeitig an, und nichts wurde geändert.',
  'not-found': 'Prüfen Sie die Adresse: Hier gibt es nichts, oder es ist für Sie nicht sichtbar.',
  'reason-needed': 'Sagen Sie zuerst, warum Sie diese Anfrage lesen möchten. Ihre Begründung wird protokolliert.',
  unproven:
    'Bitten Sie den Betrieb, „assentry audit verify“ auszuführen: Die gespeicherten Daten entsprechen nicht der Entscheidung.',
  unauthenticated: 'Melden Sie sich an: Ihre Sitzung ist beendet.',
  forbidden: 'Wenden Sie sich an die Administration: Dazu sind Sie nicht berechtigt.',
  'fresh-sign-in-needed': 'Bestätigen Sie, wer Sie sind, und versuchen Sie es noch einmal.',
  'second-factor-needed': 'Schließen Sie die Anmeldung auf der Seite der Konsole ab: Ein zweiter Faktor fehlt.',
  'passkey-needed': 'Unterschreiben Sie mit einem Passkey aus Ihrem Profil.',
  'passkey-refused': 'Versuchen Sie es noch einmal mit Ihrem Passkey.',
  'cross-site':
    'Laden Sie die Konsole neu, und versuchen Sie es noch einmal: Diese Anfrage kam von einer anderen Website.',
  'token-invalid': 'Bitten Sie um einen neuen Link: Dieser ist ungültig.',
  'sealed-unreadable':
    'Bitten Sie die Administration, diese Anfrage zurückzuziehen: Ihr Inhalt ist mit einem hier unbekannten Geheimnis versiegelt.',
  'content-erased': 'Lesen Sie, was von dieser Anfrage geblieben ist: Ihr Inhalt wurde gelöscht.',
  'rate-limited': 'Warten Sie kurz, und versuchen Sie es noch einmal: Es gab zu viele Anfragen.',
  overloaded: 'Warten Sie kurz, und versuchen Sie es noch einmal: Dieser Server hat gerade zu viel zu tun.',
  'body-too-large': 'Senden Sie weniger: Die Eingabe ist zu groß.',
  'unsupported-media-type': 'Dieses Format wird nicht angenommen.',
  'method-not-allowed': 'Diese Methode wird hier nicht angenommen.',
  'config-invalid': 'Die Konfiguration ist ungültig.',
  'database-unavailable':
    'Senden Sie dieselbe Anfrage noch einmal: Die Datenbank ist nicht erreichbar, und es ist unklar, ob sie gespeichert wurde.',
  'migration-failed': 'Die Datenbank ließ sich nicht aktualisieren.',
  'already-exists': 'Wählen Sie einen anderen Namen: Diesen gibt es schon.',
  unavailable: 'Versuchen Sie es später noch einmal: Assentry ist nicht erreichbar.',
  'shutting-down': 'Versuchen Sie es noch einmal: Dieser Server wird gerade beendet.',
  'policy-invalid': 'Korrigieren Sie die Richtlinie: Sie enthält Fehler.',
  'policy-unreadable': 'Bitten Sie den Betrieb, eine veröffentlichte Richtlinie zu korrigieren: Sie ist nicht lesbar.',
  'policy-denied': 'Ändern Sie die Anfrage: Die Richtlinien lehnen sie ab.',
  unsatisfiable: 'Wenden Sie sich an die Administration: Es gibt zu wenige Personen, die das entscheiden dürfen.',
  'proof-invalid': 'Verlassen Sie sich nicht auf diesen Nachweis: Er ist ungültig.',
  internal: 'Prüfen Sie den Stand, bevor Sie das wiederholen: In Assentry ist etwas schiefgegangen.',
};
