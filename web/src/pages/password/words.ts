export const words = {
  title: 'Choose your password',
  note: 'It is yours alone: whoever gave you the link never sees it. You are then signed in here, and nowhere else.',
  submit: 'Set password and sign in',
  noLink: 'Open the link that you were given',
  noLinkNote:
    'A password is set with a link that works once. An administrator makes it. If you have set yours already, sign in.',
  linkFailed: 'This link is not valid. It may have been used, replaced by a newer one, or be too old.',
  linkFailedNote: 'Ask an administrator for a new link.',
};
