/** The numbers of our advisory locks. Each is used for one thing; Prisma's own for migrations is none of these. */
export const locks = {
  directory: 4_700_001,
  policy: 4_700_002,
  shadow: 4_700_003,
  sequencer: 4_700_004,
  secrets: 4_700_005,
} as const;
