import { spoken } from '../../lib/language/language.ts';
import { newPassword } from '../../ui/words/words.ts';

const english = {
  title: 'Set up Assentry',
  note: 'Create the first administrator: they can decide requests and add other people.',
  name: 'Name',
  nameNote: 'Shown next to your decisions.',
  email: 'Email',
  submit: 'Create administrator',
  noLink: 'Open the link that Assentry printed when it started',
  noLinkNote:
    'Setup needs the one-time link from the server’s output, so that only the person who runs it can become the first administrator. If setup is already done, sign in.',
  linkFailed: 'This link no longer works: it has been used or has expired. Restart the server to get a new one.',
  nameMissing: 'Enter your name.',
  emailMissing: 'Enter an email address, such as name@example.com.',
};

const german: typeof english = {
  title: 'Assentry einrichten',
  note: 'Legen Sie die erste Administration an: Diese Person kann Anfragen entscheiden und andere hinzufügen.',
  name: 'Name',
  nameNote: 'Steht neben Ihren Entscheidungen.',
  email: 'E-Mail-Adresse',
  submit: 'Administration anlegen',
  noLink: 'Öffnen Sie den Link, den Assentry beim Start ausgegeben hat',
  noLinkNote:
    'Zum Einrichten brauchen Sie den einmaligen Link aus der Ausgabe des Servers. So kann nur, wer ihn betreibt, die erste Administration übernehmen. Ist schon eingerichtet, melden Sie sich an.',
  linkFailed:
    'Dieser Link funktioniert nicht mehr: Er wurde benutzt oder ist abgelaufen. Starten Sie den Server neu, um einen neuen zu erhalten.',
  nameMissing: 'Geben Sie Ihren Namen ein.',
  emailMissing: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
};

export const catalogues = { en: english, de: german };
const { nameMissing, emailMissing, ...rest } = spoken<typeof english>(catalogues);

export const words = { ...rest, faults: { name: nameMissing, email: emailMissing, password: newPassword.tooShort } };
