/** The examples from which a first policy can begin: by what is done, and for well-known MCP servers. */
export const galleryNames = [
  'payments',
  'payments-by-amount',
  'production-deploys',
  'data-export',
  'deletion',
  'outside-email',
  'filesystem-server',
  'github-server',
  'slack-server',
  'postgres-server',
  'browser-server',
] as const;
export type GalleryName = (typeof galleryNames)[number];
