import type { RefusalCode } from '#requests/inbox/contract/refusal';

/** Why a person may not do something, in German. */
export const germanRefusals: Record<RefusalCode, string> = {
  'acr-needed':
    'Melden Sie sich noch einmal bei Ihrem Identitätsanbieter an: Die Richtlinie verlangt eine Anmeldung, die er als {acr} bestätigt.',
  'has-ended': 'Diese Anfrage ist abgeschlossen.',
  'approvers-decide': 'Das können nur Administration und Freigebende.',
  'requester-answers': 'Diese Anfrage beantwortet die Person am MCP-Client.',
  'is-requester': 'Sie können das nicht entscheiden: Die Anfrage kommt von Ihnen.',
  'is-excluded': 'Sie können das nicht entscheiden: Die Richtlinie schließt Sie aus.',
  'for-requester':
    'Sie können das nicht entscheiden: Die Anfrage kommt von jemandem, für den Ihre Stimme ebenfalls zählt.',
  'for-voter':
    'Jemand, für den Ihre Stimme ebenfalls zählt, hat schon abgestimmt: die Person, die Sie vertreten, oder die Person, die Ihre Anmeldung eingerichtet hat.',
  'has-voted': 'Sie haben schon abgestimmt.',
  'approved-by-you': 'Sie haben diese Anfrage schon freigegeben.',
  'declined-by-you': 'Sie haben diese Anfrage schon abgelehnt.',
  'approved-by-other': '{name} hat diese Anfrage vor Ihnen freigegeben.',
  'declined-by-other': '{name} hat diese Anfrage vor Ihnen abgelehnt.',
  'other-stage': 'In dieser Stufe entscheiden andere.',
  'waits-for-start': 'Alle haben zugestimmt; die Anfrage wartet auf ihre Startzeit.',
  'longest-deadline': 'Eine Anfrage bleibt höchstens 30 Tage offen.',
  'no-vote-here': 'Sie haben über diese Anfrage nicht abgestimmt.',
  'revoke-approved': 'Nur eine Freigabe lässt sich widerrufen.',
  'revoke-own': 'Widerrufen können das nur die Freigebenden oder die Administration.',
  'already-lapsed': 'Diese Freigabe wurde schon widerrufen oder galt nicht mehr, als sie genutzt werden sollte.',
  'has-begun': 'Der Aufruf hat begonnen oder ist abgeschlossen.',
  'lift-by-other': 'Ihren eigenen Stopp muss jemand anderes aufheben.',
  'already-lifted': 'Dieser Stopp ist bereits aufgehoben.',
  'content-held':
    'Eine Aufbewahrungspflicht bewahrt diesen Inhalt. Zwei Personen der Administration können sie aufheben.',
  'content-needed':
    'Dieser Inhalt wird noch gebraucht: Die Anfrage ist offen, ihre Antwort noch nicht abgeholt, eine Dauerfreigabe beruht darauf, oder ihre Notfallfreigabe ist ungeprüft.',
  'nothing-to-erase': 'Es gibt keinen Inhalt zu löschen.',
  'hold-released': 'Diese Aufbewahrungspflicht ist bereits aufgehoben.',
  'edits-not-allowed': 'Die Richtlinie erlaubt keine Änderungen an dieser Anfrage, oder ihr Tool übernimmt keine.',
  'too-many-stages': 'Diese Anfrage hat schon so viele Stufen, wie möglich sind.',
  'watched-by-other': 'Jemand anderes prüft das bereits.',
  'inquiry-open': 'Eine Rückfrage ist noch offen.',
  'discussion-full': 'Diese Diskussion hat ihre Grenze erreicht.',
  'no-start': 'Die Richtlinie sieht keine Startzeit vor.',
  'needs-break-glass': 'Das dürfen nur Personen mit der Berechtigung für Notfallfreigaben.',
  'reviewers-judge': 'Das können nur die Administration und Prüfende.',
  'decided-by-policy': 'Diese Anfrage wurde nach ihrer Richtlinie entschieden.',
  'not-sampled': 'Diese Anfrage wurde nicht für einen späteren Blick ausgewählt.',
  'own-override': 'Ihre eigene Notfallfreigabe muss jemand anderes prüfen.',
  'own-request': 'Ihre eigene Anfrage muss jemand anderes prüfen.',
  'already-reviewed': 'Das wurde bereits geprüft.',
  'not-delegated': 'Für diese Anfrage hat Ihnen niemand seine Stimme übertragen.',
  'high-risk-alone': 'Anfragen mit hohem Risiko werden einzeln entschieden.',
  'presence-alone':
    'Genehmigen Sie das auf der eigenen Seite der Anfrage: Ihre Richtlinie verlangt einen Nachweis, wer genehmigt.',
  'no-votes-to-delegate': 'Ihre Rolle hat keine Stimme, die Sie übertragen könnten.',
  'no-review-due': 'Diese Dauerfreigabe muss nicht geprüft werden.',
  'not-in-force': 'Diese Dauerfreigabe gilt nicht mehr.',
  'receipt-when-ended': 'Den Beleg gibt es, sobald die Anfrage abgeschlossen ist.',
  'receipt-soon': 'Rufen Sie den Beleg gleich noch einmal ab: Die Entscheidung wird gerade protokolliert.',
  'authors-change-policies': 'Das können nur Administration und Richtlinien-Verfassende ändern.',
  'administrators-publish': 'Das kann nur die Administration veröffentlichen.',
  'not-a-draft': 'Nur Entwürfe lassen sich bearbeiten. Schreiben Sie eine neue Version.',
  'draft-of-other': 'Dieser Entwurf gehört jemand anderem.',
  'already-submitted': 'Diese Version wurde bereits eingereicht.',
  'not-in-review': 'Diese Version wird nicht geprüft.',
  'own-version': 'Was Sie geschrieben haben, muss jemand anderes prüfen.',
  'not-approved': 'Nur eine freigegebene Version kann veröffentlicht werden oder im Schattenmodus laufen.',
  'is-published': 'Diese Version ist bereits veröffentlicht.',
  'newer-published': 'Eine neuere Version ist veröffentlicht. Stellen Sie diese stattdessen wieder her.',
  'is-draft': 'Das ist bereits ein Entwurf.',
  'submit-first': 'Reichen Sie den Entwurf zuerst zur Prüfung ein: Er kann sich noch ändern.',
  'was-rejected': 'Diese Version wurde zurückgewiesen.',
  'too-many-versions': 'Diese Richtlinie hat die Höchstzahl an Versionen erreicht.',
  'administrators-only': 'Das kann nur die Administration.',
  'operators-only': 'Das können nur Administration und Betrieb.',
  'authors-and-operators-only': 'Das können nur Administration, Richtlinien-Verfassende und Betrieb lesen.',
  'reviewers-read-log': 'Das können nur Administration und Prüfende lesen.',
  'second-administrator': 'Jemand anderes aus der Administration muss das annehmen.',
  'no-second-administrator':
    'Derzeit kann niemand sonst aus der Administration das annehmen. Bitten Sie den Betrieb, es im Terminal zu ändern.',
  'administrator-by-token':
    'Sperren Sie jemanden aus der Administration als Person, oder ändern Sie so die Rolle: Programme dürfen das nicht.',
  'change-outdated': 'Was geändert werden sollte, ist nicht mehr so. Fragen Sie erneut.',
  'change-too-late': 'Das wurde angenommen, aber nicht innerhalb einer Stunde ausgeführt. Fragen Sie erneut.',
  'own-access':
    'Sie können sich nicht selbst sperren. Bitten Sie jemanden aus der Administration, oder führen Sie aus: assentry {command}',
  'own-power':
    'Sie können Ihre eigenen Rechte nicht ändern. Bitten Sie jemanden aus der Administration, oder führen Sie aus: assentry {command}',
  'own-report':
    'Sie können sich nicht selbst als Führungskraft eintragen. Bitten Sie jemanden aus der Administration, oder führen Sie aus: assentry {command}',
  'own-membership':
    'Sie können sich nicht selbst in eine Gruppe aufnehmen. Bitten Sie jemanden aus der Administration, oder führen Sie aus: assentry {command}',
  'own-leaving':
    'Sie können sich nicht selbst aus einer Gruppe entfernen. Bitten Sie jemanden aus der Administration, oder führen Sie aus: assentry {command}',
  'own-confirmation':
    'Sie können Ihre eigene Mitgliedschaft nicht bestätigen. Bitten Sie jemanden aus der Administration oder andere Verantwortliche, oder führen Sie aus: assentry {command}',
  'owners-confirm': 'Die Mitglieder bestätigen nur die Verantwortlichen der Gruppe und die Administration.',
  'no-confirmation-needed': 'Die Mitglieder dieser Gruppe muss niemand bestätigen.',
  'members-changed': 'Die Mitglieder haben sich geändert, seit Sie sie gesehen haben. Lesen Sie die Liste noch einmal.',
  'own-server':
    'Sie können nicht selbst ändern, für welche Server Sie verantwortlich sind. Bitten Sie jemanden aus der Administration, oder führen Sie aus: assentry {command}',
  'own-link':
    'Sie können keinen Passwort-Link für sich selbst erstellen. Bitten Sie jemanden aus der Administration, oder führen Sie aus: assentry {command}',
  'link-from-operator':
    'Bitten Sie den Betrieb auszuführen: assentry {command}. Das gibt den Link aus; die Konsole zeigt ihn nicht.',
  'last-administrator':
    'Das ist die letzte Person in der Administration. Zuerst muss eine weitere ein Passwort gesetzt haben.',
  'person-disabled': 'Diese Person ist gesperrt. Entsperren Sie sie zuerst.',
  'person-exists': 'Es gibt schon eine Person mit dieser E-Mail-Adresse.',
  'group-exists': 'Es gibt schon eine Gruppe mit diesem Namen.',
  'role-in-use': 'Geben Sie diesen Personen zuerst eine andere Rolle: {people}.',
  'role-in-policy': 'Die Richtlinie {policy} nennt diese Rolle. Ändern Sie zuerst die Richtlinie.',
  'group-not-provisioned': 'Kein Identitätsanbieter hat diese Gruppe angelegt: Sie zählt schon.',
  'group-in-policy': 'Die Richtlinie {policy} nennt diese Gruppe. Ändern Sie zuerst die Richtlinie.',
  'group-name-in-policy':
    'Die Richtlinie {policy} stützt sich auf eine Gruppe mit diesem Namen. Ändern Sie zuerst die Richtlinie.',
  'wrong-password': 'E-Mail-Adresse und Passwort passen nicht zusammen.',
  'open-first':
    'Öffnen Sie die Anfrage in der Konsole und lesen Sie sie, bevor Sie freigeben: Richtlinie oder Risiko verlangen das.',
  'open-long':
    'Öffnen Sie jeden langen Wert der Argumente und lesen Sie ihn bis zum Ende, bevor Sie freigeben. Nicht geöffnet: {values}.',
  'read-first': 'Lesen Sie die Anfrage: In {seconds} s können Sie sie freigeben.',
  'pause-first':
    'Sie haben viele Anfragen freigegeben, oder mehrere in je wenigen Sekunden. In {seconds} s geht es weiter.',
  'other-tools':
    'Dieser Schlüssel gilt nicht für das Tool {tool}. Bitten Sie die Administration um einen, der dafür gilt.',
  'key-revoked': 'Erstellen Sie stattdessen einen Schlüssel: Dieser wurde widerrufen.',
  'key-expired': 'Erstellen Sie stattdessen einen Schlüssel: Dieser ist abgelaufen.',
  'key-rotated':
    'Verwenden Sie den Schlüssel {next}: Er wurde als Nachfolger erstellt. Wenn er verloren ist, erstellen Sie einen anderen.',
  'link-used': 'Bitten Sie um einen neuen Link: Dieser wurde schon benutzt oder ist abgelaufen.',
};
