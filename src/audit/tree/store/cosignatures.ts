import type { Database } from '#platform/database/database/database';

/** The latest cosignature of a witness, with the checkpoint that it is about. Only the key of the witness proves it. */
export interface StoredCosignature {
  witness: string;
  size: number;
  line: string;
  note: string;
}

export const createCosignatures = ({ prisma }: Pick<Database, 'prisma'>) => ({
  all: (): Promise<StoredCosignature[]> => readCosignatures(prisma),
  /** Keeps what this witness says, unless it has said something of a larger log. */
  async keep({ witness, size, line }: Omit<StoredCosignature, 'note'>) {
    await prisma.$executeRaw`
      INSERT INTO audit_cosignature (witness, size, line) VALUES (${witness}, ${size}, ${line})
      ON CONFLICT (witness) DO UPDATE SET size = excluded.size, line = excluded.line
        WHERE audit_cosignature.size <= excluded.size`;
  },
});

export async function readCosignatures(reading: Pick<Database['prisma'], '$queryRaw'>): Promise<StoredCosignature[]> {
  const rows = await reading.$queryRaw<(Omit<StoredCosignature, 'size'> & { size: bigint })[]>`
    SELECT c.witness, c.size, c.line, h.note FROM audit_cosignature c JOIN audit_checkpoint h USING (size)
     ORDER BY c.witness`;
  return rows.map((row) => ({ ...row, size: Number(row.size) }));
}
