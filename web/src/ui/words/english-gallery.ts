import type { GalleryName } from './gallery-names.ts';

/** The examples from which a policy can begin. */
export const gallery: Record<GalleryName, { title: string; note: string }> = {
  payments: { title: 'Payments', note: 'Above an amount, someone else approves.' },
  'payments-by-amount': { title: 'Payments by amount', note: 'Small ones are confirmed, large ones need two people.' },
  'production-deploys': { title: 'Production deploys', note: 'An administrator approves and says why.' },
  'data-export': { title: 'Data export', note: 'Every export needs a person and a reason.' },
  deletion: { title: 'Deletion', note: 'A person approves, and can take it back for 30 seconds.' },
  'outside-email': { title: 'Email to outsiders', note: 'Mail that leaves your company waits for a person.' },
  'filesystem-server': { title: 'Filesystem server', note: 'Each change of files waits for a person.' },
  'github-server': { title: 'GitHub server', note: 'What reaches a repository waits for a person.' },
  'slack-server': { title: 'Slack server', note: 'A person approves each message, and can correct it.' },
  'postgres-server': { title: 'Postgres server', note: 'An administrator approves all but a plain SELECT.' },
  'browser-server': { title: 'Browser server', note: 'Other sites, uploads and scripts wait for a person.' },
};
