import { spoken } from '../../lib/language/language.ts';

const english = {
  title: 'Choose your password',
  note: 'Only you will know it, not even the person who gave you the link. You’ll be signed in here and signed out everywhere else.',
  submit: 'Set password and sign in',
  noLink: 'Open the link you were given',
  noLinkNote: 'You set your password with a single-use link from an administrator. If you’ve already set it, sign in.',
  linkFailed: 'This link isn’t valid. It has been used, replaced by a newer one, or has expired.',
  linkFailedNote: 'Ask an administrator for a new link.',
};

const german: typeof english = {
  title: 'Passwort wählen',
  note: 'Nur Sie kennen es, auch nicht die Person, die Ihnen den Link gegeben hat. Danach sind Sie hier angemeldet und überall sonst abgemeldet.',
  submit: 'Passwort setzen und anmelden',
  noLink: 'Öffnen Sie den Link, den Sie erhalten haben',
  noLinkNote:
    'Ihr Passwort setzen Sie mit einem einmaligen Link aus der Administration. Haben Sie das schon getan, melden Sie sich an.',
  linkFailed: 'Dieser Link ist ungültig. Er wurde benutzt, durch einen neueren ersetzt oder ist abgelaufen.',
  linkFailedNote: 'Bitten Sie jemanden aus der Administration um einen neuen Link.',
};

export const catalogues = { en: english, de: german };
export const words = spoken<typeof english>(catalogues);
