import type * as english from './english.ts';

export const page: typeof english.page = {
  title: 'Passwort wählen',
  note: 'Nur Sie kennen es; nicht einmal, wer Ihnen den Link gab. Danach sind Sie hier angemeldet und überall sonst abgemeldet.',
  submit: 'Passwort setzen und anmelden',
  noLink: 'Öffnen Sie den Link, den Sie erhalten haben',
  noLinkNote:
    'Ihr Passwort setzen Sie mit einem einmaligen Link aus der Administration. Haben Sie das schon getan, melden Sie sich an.',
  linkFailed: 'Dieser Link ist ungültig. Er wurde benutzt, durch einen neueren ersetzt oder ist abgelaufen.',
  linkFailedNote: 'Bitten Sie jemanden aus der Administration um einen neuen Link.',
};
