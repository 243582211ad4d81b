/** Examples for a first policy: by purpose, and for well-known MCP servers. */
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
