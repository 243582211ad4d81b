import { formatsIn } from '#platform/text/formats';

const { all } = formatsIn('en');

export const keeping = {
  title: 'Keep or erase',
  lead: 'Two administrators decide this together. Its entries in the log, its proofs and its receipt stay valid.',
  hold: 'Place a legal hold',
  erase: 'Erase the content',
  scope: 'What',
  scopes: {
    request: 'This request',
    requester: 'Everything this requester asked, at every server',
  },
  ground: 'Why',
  choices: {
    asked: 'The requester asked for it',
    mistake: 'It should never have been here',
    law: 'A law demands it',
  },
  consequence: 'Its key is destroyed. No one can restore the content, except from backups that are older.',
  eraseNow: 'Erase',
  reason: 'Matter',
  reasonNote: 'It is stored readable and is never erased, so name the matter and no one.',
  holdNow: 'Hold',
  held: 'Held. Nothing of it is erased until the hold is released.',
  close: 'Close',
  erased: (when: string, by: string[]) => `Erased on ${when} by ${all(by)}`,
  grounds: {
    asked: 'The requester asked for it.',
    mistake: 'It should never have been here.',
    law: 'A law demands it.',
    policy: 'The time for which its policy keeps content was over.',
  },
  left: 'What it asked and what people wrote can no longer be read by anyone. What is left is who decided, and when.',
};
