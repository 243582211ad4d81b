import type * as english from './english.ts';

export const page: typeof english.page = {
  title: 'Assentry einrichten',
  note: 'Legen Sie die erste Administration an: Diese Person kann Anfragen entscheiden und andere hinzufügen.',
  name: 'Name',
  nameNote: 'Steht neben Ihren Entscheidungen.',
  email: 'E-Mail-Adresse',
  submit: 'Erstes Administrationskonto anlegen',
  noLink: 'Öffnen Sie den Link, den Assentry beim Start ausgegeben hat',
  noLinkNote:
    'Zum Einrichten brauchen Sie den einmaligen Link aus der Ausgabe des Servers. So kann nur, wer ihn betreibt, die erste Administration übernehmen. Ist schon eingerichtet, melden Sie sich an.',
  linkFailed:
    'Dieser Link funktioniert nicht mehr: Er wurde benutzt oder ist abgelaufen. Starten Sie den Server neu, um einen neuen zu erhalten.',
  nameMissing: 'Geben Sie Ihren Namen ein.',
  emailMissing: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
};
