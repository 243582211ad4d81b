import { expect, test } from '@jest/globals';
import pg from 'pg';
import { createKeyRing } from '#platform/crypto/key-ring';
import { createSequencer } from '#audit/tree/verbs';
import { testRing, verify, writeEntries } from '../../support/nodes/log.ts';
import { openTestStore, type TestStore } from '../../support/databases/rows.ts';

/** A log of three entries, each under a head that this node signed, and one that waits; an intruder at its database. */
async function during(attack: (sequence: () => Promise<boolean>, house: House) => Promise<void>): Promise<void> {
  const store = await openTestStore(); // with one entry
  const intruder = new pg.Client({ connectionString: store.url });
  await intruder.connect();
  const sequence = createSequencer({ merkleLog: store.merkleLog, ring: testRing });
  for (const _ of [1, 2]) {
    await sequence();
    await writeEntries(1, intruder);
  }
  await sequence();
  await intruder.query('SET session_replication_role = replica');
  await attack(sequence, { store, intruder }).finally(async () => {
    await intruder.end();
    await store.close();
  });
}

interface House {
  store: TestStore;
  /** No right and no trigger stops them. */
  intruder: pg.Client;
}

const another = async ({ intruder }: House): Promise<void> => {
  await intruder.query('SET session_replication_role = origin');
  await writeEntries(1, intruder);
};

/** Says something else, in the entry and in the tile. */
const edited = [
  `UPDATE audit_entry SET body = body || '\\x20', leaf_hash = sha256('\\x00'::bytea || body || '\\x20')
    WHERE id = (SELECT entry_id FROM audit_leaf WHERE idx = 0)`,
  `UPDATE audit_tile SET hashes = (SELECT string_agg(leaf_hash, ''::bytea ORDER BY idx)
     FROM audit_leaf l JOIN audit_entry e ON e.id = l.entry_id)`,
];
const forgotten = 'TRUNCATE audit_checkpoint, audit_leaf, audit_tile';
const queuedAgain = 'INSERT INTO audit_queue (seq, entry_id, leaf_hash) SELECT seq, id, leaf_hash FROM audit_entry';
const underStrangeKey = `UPDATE audit_checkpoint SET note = regexp_replace(note, '(\\n— [^ ]+ ).*$', '\\1AAAAAAAAAAA=' || chr(10))`;
const cutBack = [
  'DELETE FROM audit_leaf WHERE idx >= 1',
  'UPDATE audit_tile SET hashes = substring(hashes FROM 1 FOR 32)',
  'DELETE FROM audit_checkpoint WHERE size > 1',
];

/** AD-04 */
test.each([
  ['edits an entry and its tile', edited, /^The first 3 entries differ from the checkpoint over them\.$/],
  ['makes up a signature', [underStrangeKey], /^The checkpoint over 3 entries is signed by no known key\.$/],
  ['begins the log again', [...edited, forgotten, queuedAgain], /ends after 0 entries, but a checkpoint over 3 was/],
  ['cuts it back to an older signed end', cutBack, /ends after 1 entries, but a checkpoint over 3 was signed/],
])('a running node signs nothing on top for someone who %s', async (_name, tampering, fault) => {
  await during(async (sequence, house) => {
    for (const sql of tampering) await house.intruder.query(sql);
    const heads = await house.store.query('SELECT note FROM audit_checkpoint ORDER BY size');
    await another(house);
    await expect(sequence()).rejects.toThrow(fault);
    expect(await house.store.query('SELECT note FROM audit_checkpoint ORDER BY size')).toEqual(heads);
  });
});

test('a node that has just started signs nothing on top of entries that were edited', async () => {
  await during(async (_, house) => {
    for (const sql of edited) await house.intruder.query(sql);
    await another(house);
    const sequence = createSequencer({ merkleLog: house.store.merkleLog, ring: testRing });
    await expect(sequence()).rejects.toMatchObject({ code: 'proof-invalid' });
  });
});

test('a node goes on after another one, but not where that one was given another past', async () => {
  await during(async (sequence, house) => {
    const other = () => createSequencer({ merkleLog: house.store.merkleLog, ring: testRing });
    await house.intruder.query('SET session_replication_role = origin');
    await writeEntries(600, house.intruder); // beyond the first tiles
    await other()();
    await writeEntries(1, house.intruder);
    expect(await sequence()).toBe(false);
    const progress: number[][] = [];
    const onProgress = (...pair: number[]): void => void progress.push(pair);
    expect(await verify(house.store, { onProgress })).toMatchObject({ size: 604, fault: null });
    expect(progress).toEqual([[604, 604]]);
    await house.intruder.query('SET session_replication_role = replica');
    for (const sql of [edited[0] ?? '', forgotten, queuedAgain]) await house.intruder.query(sql);
    await other()();
    await another(house);
    await expect(sequence()).rejects.toThrow(/^The log ends after 603 entries, but a checkpoint over 604 was signed/); // the edited entry got no place
  });
});

test('under a new secret alone the log goes on from what the old one signed', async () => {
  await during(async (_, house) => {
    await another(house);
    const ring = createKeyRing([{ kid: 'new', secret: 'a-secret-that-came-without-the-old' }]);
    const sequence = createSequencer({ merkleLog: house.store.merkleLog, ring });
    expect(await sequence()).toBe(false);
    expect(await verify(house.store, {}, ring)).toMatchObject({ size: 4, unverified: 3, fault: null });
  });
});
