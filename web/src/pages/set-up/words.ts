export const words = {
  title: 'Set up Assentry',
  note: 'Create the first administrator: the person who can decide, and who adds others.',
  name: 'Name',
  nameNote: 'As others see it beside your decisions.',
  email: 'Email',
  password: 'Password',
  rule: 'At least 15 characters. A few unrelated words are easy to remember and hard to guess.',
  submit: 'Create administrator',
  noLink: 'Open the link that Assentry printed when it started',
  noLinkNote:
    'Setting up needs the one-time link from the server’s own output, so that only whoever runs it can become the first administrator. If somebody has set it up already, sign in.',
  signIn: 'Go to sign in',
  linkFailed: 'This link no longer works: it has been used, or its time is over. Restart the server to get a new one.',
  faults: {
    name: 'Enter your name.',
    email: 'Enter an email address, such as name@example.com.',
    password: (length: number) => `Use at least 15 characters; this has ${length}.`,
  },
};
