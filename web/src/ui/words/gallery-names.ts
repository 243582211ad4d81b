/** The examples from which a first policy can begin. */
export const galleryNames = ['payments', 'production-deploys', 'data-export', 'deletion', 'outside-email'] as const;
export type GalleryName = (typeof galleryNames)[number];
