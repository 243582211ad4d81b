import { aloneSentences } from '#messages/english-power';

/** Of changes of who may decide. */
export const changes = {
  waiting: 'Waiting for a second administrator',
  waitingNote: 'Nothing more has changed yet: another administrator must accept this.',
  open: 'Open the request',
  alone: aloneSentences,
};

export const copying = {
  copy: 'Copy',
  copied: 'Copied',
  failed: 'The browser blocked copying. Select the text and copy it yourself.',
};
