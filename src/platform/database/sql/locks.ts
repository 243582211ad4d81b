/** The numbers of Assentry's advisory locks, one for each use. Prisma's lock for migrations is another one. */
export const locks = {
  directory: 4_700_001,
  policy: 4_700_002,
  shadow: 4_700_003,
  sequencer: 4_700_004,
  secrets: 4_700_005,
  keeping: 4_700_006,
  latestEntry: 4_700_007,
} as const;
