export const page = {
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
