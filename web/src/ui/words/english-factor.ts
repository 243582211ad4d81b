/** The words of second factors: on the page that ends a sign-in, and on one's own profile. */
export const factor = {
  code: 'Code',
  codeNote: 'The six digits that your authenticator app shows now, or one of your recovery codes.',
  codeMissing: 'Enter the code.',
  codeWrong: 'Wait for the next code, then enter that one: this one is wrong, or was used already.',
  wait: 'Wait a few minutes, then try again: there were too many wrong codes.',
  confirm: 'Confirm',
  proven: 'Confirmed.',
  scan: 'Scan this with your authenticator app, such as Microsoft Authenticator, 1Password or Aegis.',
  picture: 'QR code for your authenticator app',
  type: 'Or type this key into the app. It is shown only now.',
  first: 'Code that the app shows',
  firstNote: 'Six digits. They prove that the app is set up.',
  add: 'Add the app',
  added: 'Your authenticator app is added.',
  cancel: 'Cancel',
  codesTitle: 'Keep your recovery codes',
  codesNote:
    'Each code works once in place of your authenticator app, for the day you lose it. They are shown only now: print them or put them into your password manager.',
  codesKept: 'I’ve kept them',
};
