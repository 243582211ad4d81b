import pg from 'pg';
import { createKeyRing, type KeyRing } from '#platform/crypto/key-ring';
import { openQuestion, openVerdict, ownerOf, sealQuestion, sealVerdict } from '#requests/asking/verbs/question';
import type { ElicitationId, UserId } from '#platform/model/id';
import { nodeOptions } from '../prepared.ts';

/** The rows that the first pages of a list can show. */
const maxShown = 10_000;
const batch = 1_000;
/** One in so many names the second person, too: of each tool and each risk, since it shares no divisor with their numbers. */
const rarity = 1_001;

interface Filling {
  open: number;
  closed: number;
  /** Whom every request names, and whom few do. */
  often: UserId;
  seldom: UserId;
}

/**
 * Copies of the first request that was asked: nothing but the lists reads them. What lists show of them is sealed for
 * their own ids, since a part opens in its own row only; of the closed ones, the latest are shown, and those of the second
 * person.
 */
export async function fillLists(connectionString: string, { open, closed, often, seldom }: Filling): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query('SET session_replication_role = replica');
    const original = await readOriginal(client);
    const names = [[often], [often, seldom]].map((approvers) => JSON.stringify(approvers));
    const isShown = (at: number): boolean => at <= maxShown || at % rarity === 0;
    const copy = { client, original, names };
    await copySealed(copy, 'open', placesUpTo(open));
    await copySealed(copy, 'accepted', placesUpTo(closed).filter(isShown));
    await client.query(copies(original, 'accepted', unsealed), [original.id, ...names, maxShown + 1, closed]);
    await client.query('VACUUM ANALYZE elicitation');
  } finally {
    await client.end();
  }
}

type Sealed = Pick<ReturnType<typeof sealQuestion>, 'owner' | 'dataKey' | 'payload'> & { explanation: Uint8Array };

interface Original {
  id: ElicitationId;
  /** The columns that are the same in each copy, as SQL. */
  others: string;
  sealFor(id: ElicitationId): Sealed;
}

async function readOriginal(client: pg.Client): Promise<Original> {
  const columns = await client.query<{ name: string }>(otherColumns);
  const { rows } = await client.query<Sealed & { id: ElicitationId; dataKey: Buffer }>(
    `SELECT id, owner, data_key AS "dataKey", payload, explanation FROM elicitation ORDER BY opened_at LIMIT 1`,
  );
  const row = rows[0];
  if (!row) throw new TypeError('There is no request to copy.');
  const ring: KeyRing = createKeyRing(nodeOptions.secrets ?? []);
  const [owner, question, verdict] = [ownerOf(ring, row), openQuestion(ring, row), openVerdict(ring, row)];
  return {
    id: row.id,
    others: columns.rows.map(({ name }) => `"${name}"`).join(', '),
    sealFor(id) {
      const sealed = sealQuestion(ring, id, owner, question);
      return { ...sealed, explanation: sealVerdict(ring, { id, ...sealed }, verdict) };
    },
  };
}

const placesUpTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

interface Copying {
  client: pg.Client;
  original: Original;
  /** The approvers of most, and of few, as JSON. */
  names: string[];
}

async function copySealed({ client, original, names }: Copying, status: Status, all: number[]): Promise<void> {
  const statement = copies(original, status, sealedHere);
  for (let from = 0; from < all.length; from += batch) {
    const places = all.slice(from, from + batch);
    const sealed = places.map((at) => original.sealFor(idOf(status, at)));
    const parts = (['owner', 'dataKey', 'payload', 'explanation'] as const).map((part) =>
      sealed.map((each) => each[part]),
    );
    await client.query(statement, [original.id, ...names, places, ...parts]);
  }
}

type Status = 'open' | 'accepted';

const idOf = (status: Status, at: number): ElicitationId =>
  `eli_${status.padEnd(8, '-')}${String(at).padStart(14, '0')}` as ElicitationId;

const own = [
  'id',
  'tool_call_id',
  'status',
  'opened_at',
  'closed_at',
  'deadline_at',
  'wish',
  'risk',
  'tool',
  'readers',
  'snapshot',
];
const sealedParts = ['owner', 'data_key', 'payload', 'explanation'];
const otherColumns = `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'elicitation'
  AND column_name NOT IN (${[...own, ...sealedParts].map((name) => `'${name}'`).join(', ')})`;

const sealedHere = `unnest($4::int[], $5::bytea[], $6::bytea[], $7::bytea[], $8::bytea[]) AS s (at, ${sealedParts.join(', ')})`;
const unsealed = `(SELECT at, ${sealedParts.join(', ')} FROM generate_series($4::int, $5::int) AS at, elicitation
  WHERE id = $1 AND at % ${rarity} <> 0) AS s`;

/** The approvers of the request in this place. */
const approvers = `(CASE WHEN at % ${rarity} = 0 THEN $3 ELSE $2 END)::jsonb`;

const copies = ({ others }: Original, status: Status, source: string): string => `
  INSERT INTO elicitation (${[...own, ...sealedParts].join(', ')}, ${others})
  SELECT 'eli_' || rpad('${status}', 8, '-') || lpad(at::text, 14, '0'), 'call_${status}' || at, '${status}',
      e.opened_at - at * interval '1 s', ${status === 'open' ? 'NULL' : "e.opened_at - at * interval '1 s'"},
      e.deadline_at + at % 90000 * interval '1 s', at, (ARRAY['low', 'medium', 'high'])[1 + at % 3],
      'tool_' || at % 40, ARRAY(SELECT jsonb_array_elements_text(${approvers})),
      jsonb_set(e.snapshot, '{context,stages,0,groups,0,approvers}', ${approvers}), ${sealedParts.map((part) => `s.${part}`).join(', ')}, ${others}
    FROM ${source}, elicitation AS e WHERE e.id = $1`;
