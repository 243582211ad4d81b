import { formatsIn } from '#platform/text/formats';

const { all, count, number } = formatsIn('en');

export const system = {
  title: 'System',
  lead: 'What Assentry runs on, and what needs a hand.',
  fine: 'Nothing needs attention',
  part: 'Part',
  state: 'State',
  todo: 'What to do',
  nodes: 'Nodes',
  running: (nodes: number) => count(nodes, { one: 'node runs', other: 'nodes run' }),
  silentNodes: (nodes: number) => `${count(nodes, { one: 'node has', other: 'nodes have' })} fallen silent, the last`,
  silentTodo: 'Start again what was not meant to end. The nodes that run serve everything meanwhile.',
  version: (versions: string[]) => `Version ${all(versions)}`,
  database: 'Database',
  answers: (ms: number) => `Answers in ${number(ms)} ms`,
  slowTodo:
    'It is slow: every page and every call waits for it, and nothing is lost. Look at the load of PostgreSQL and the way to it.',
  log: 'Audit log',
  verified: (entries: number) => `${count(entries, { one: 'entry', other: 'entries' })} verified`,
  unverified: 'Not verified yet',
  unverifiedTodo: 'The first check runs within minutes.',
  witnesses: 'Witnesses',
  none: 'None',
  witnessed: (name: string, size: number | null) =>
    size === null ? `${name}: no word yet` : `${name}: seen up to entry ${number(size)}`,
  cosigned: 'cosigned',
  witnessTodo: 'A witness notices if the database is put back: name one in ASSENTRY_WITNESSES.',
  streams: 'Log streams',
  streamed: (name: string, delivered: number, size: number) =>
    `${name}: ${number(delivered)} of ${number(size)} delivered`,
  streamFails: (name: string, fault: string) => `${name} fails (${fault}), first`,
  streamTodo: 'To send the log to a SIEM, set ASSENTRY_LOG_STREAMS.',
  mail: 'Email',
  sends: 'Set up',
  notSent: 'Not set up',
  mailTodo: 'Set ASSENTRY_SMTP_URL, so that people are told of requests and get their links by email.',
  chat: 'Chat',
  chatTodo: 'People can decide in Slack or Microsoft Teams: see “Chat” in the documentation.',
  push: 'Browser notifications',
  pushState: 'Each person turns them on',
  pushLink: 'Turn them on in your profile',
  deliveries: 'Deliveries',
  delivered: 'Nothing was given up',
  givenUp: (messages: number) => count(messages, { one: 'message was given up', other: 'messages were given up' }),
  deliveriesLink: 'Send them again under Webhooks',
  backups: 'Backups',
  noBackup: 'None by “assentry backup” yet',
  noBackupTodo: 'Run “assentry backup” often, or have the database archived by a tool of your own.',
  backupTodo: 'Restore and verify one on another machine now and then.',
  mailFails: (fault: string) => `Fails (${fault}), first`,
  noticed: 'Noticed',
  links: { servers: 'Go to the servers', deliveries: 'Go to the deliveries', audit: 'Go to the log' },
};

/** What a part of the settings is for. */
export const purposes = { delivery: 'Delivery', reviews: 'Reviews', workloads: 'Workloads' };
