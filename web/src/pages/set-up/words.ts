import { newPassword } from '../../ui/words.ts';

export const words = {
  title: 'Set up Assentry',
  note: 'Create the first administrator: the person who can decide, and who adds others.',
  name: 'Name',
  nameNote: 'As others see it beside your decisions.',
  email: 'Email',
  submit: 'Create administrator',
  noLink: 'Open the link that Assentry printed when it started',
  noLinkNote:
    'Setting up needs the one-time link from the server’s own output, so that only whoever runs it can become the first administrator. If somebody has set it up already, sign in.',
  linkFailed: 'This link no longer works: it has been used, or its time is over. Restart the server to get a new one.',
  faults: {
    name: 'Enter your name.',
    email: 'Enter an email address, such as name@example.com.',
    password: newPassword.tooShort,
  },
};
