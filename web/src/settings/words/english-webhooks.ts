import type { NotificationEntry } from '#notify/webhooks/contract/webhooks';
import type { DeliveryFault } from '#notify/contract/delivery-fault';
import { formatsIn } from '#platform/text/formats';

const { count } = formatsIn('en');

export const webhooks = {
  title: 'Webhooks',
  lead: 'Programs that are told of every request that waits for people: its server, tool, policy, risk and state, never its content.',
  empty: 'No webhooks',
  emptyNote: 'Add one below, or with “assentry webhook add”.',
  receiver: 'Receiver',
  unreadable: 'Not readable here',
  format: 'Format',
  formats: {
    standard: 'Standard Webhooks (signed)',
    chat: 'Chat message',
  },
  added: 'Added',
  steps: 'Actions',
  test: 'Send a test',
  tested: 'A test is on its way.',
  remove: 'Remove',
  removeNote: 'Nothing more is sent to it, not even what is already waiting.',
  confirm: 'Remove webhook',
  keep: 'Keep it',
  removed: 'Webhook removed.',
  form: 'Add a webhook',
  url: 'Address',
  urlNote: 'It begins with https://. Later, only the host is shown, because the rest can be a secret.',
  language: 'Language',
  key: 'Integration key',
  keyNote: 'From a service in PagerDuty: 32 letters and digits.',
  add: 'Add webhook',
  saved: 'Webhook added.',
  secretTitle: 'Give this secret to the receiver',
  secretNote: 'It verifies what is sent. It’s shown only once; if it’s lost, add the webhook again.',
  secret: 'Secret',
};

export const deliveries = {
  title: 'Deliveries',
  show: 'Show',
  latest: 'The latest calls of webhooks',
  failed: 'Given up, including emails and browsers',
  none: {
    empty: 'No calls yet',
    emptyNote: 'The next request that waits for people is sent. You can also send a test.',
  },
  noneFailed: { empty: 'Nothing was given up', emptyNote: 'What can’t be sent in half a day appears here.' },
  to: 'To',
  gone: 'No longer there',
  about: 'About',
  at: 'When',
  status: 'Status',
  channels: { email: 'Email', push: 'Browser', webhook: 'Webhook' },
  kinds: {
    turn: 'Decision needed',
    reminder: 'Reminder',
    outcome: 'How it ended',
    review: 'Policy to review',
    key: 'Key expires',
    tool: 'Tool changed',
    members: 'Members to confirm',
    report: 'Report no call got',
    'sign-in': 'Sign-in changed',
    link: 'Link for a password',
    test: 'Test',
  },
  state({ state, failures, fault }: Pick<NotificationEntry, 'state' | 'failures' | 'fault'>): string {
    if (state === 'sent') return 'Sent';
    if (state === 'moot') return 'No longer needed';
    if (state === 'failed') return `Given up: ${fault ?? ''}`;
    return failures === 0 ? 'Waiting' : `Waiting after ${count(failures, failed)}: ${fault ?? ''}`;
  },
  /** What to do about a delivery that fails. */
  todo: {
    address: 'If its network is yours, name it in ASSENTRY_WEBHOOK_NETWORKS at every node.',
    expired: 'Have its certificate renewed.',
    'other-name': 'Correct the address: its certificate is for another name.',
    authority: 'Name the authority of its certificate in NODE_EXTRA_CA_CERTS at every node.',
    name: 'See whether the name is right, and whether nodes resolve it.',
    unreachable: 'See whether it runs, and whether nodes reach it.',
    credential: 'See whether it still takes this password, token or secret.',
    gone: 'Remove it or add the right address: nothing is there any more.',
    chat: 'Give every node the settings of this chat.',
  } satisfies Record<DeliveryFault, string>,
  replay: 'Send again',
  replayAll: (failures: number) => `Send all ${failures} again`,
  replayed: 'Sent again.',
};

const failed = { one: 'failure', other: 'failures' };
