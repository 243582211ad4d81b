export const page = {
  title: 'Choose your password',
  note: 'Only you will know it, not even the person who gave you the link. You’ll be signed in here and signed out everywhere else.',
  submit: 'Set password and sign in',
  noLink: 'Open the link you were given',
  noLinkNote: 'You set your password with a single-use link from an administrator. If you’ve already set it, sign in.',
  linkFailed: 'This link isn’t valid. It has been used, replaced by a newer one, or has expired.',
  linkFailedNote: 'Ask an administrator for a new link.',
};
