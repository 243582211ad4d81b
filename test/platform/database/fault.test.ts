import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { openDatabase } from '#platform/database/database';
import { problemFrom } from '#platform/database/fault';
import { freshDatabase } from '../../support/databases/database.ts';

const fresh = await freshDatabase();
const database = openDatabase(fresh.url, { poolSize: 2 });
afterAll(async () => {
  await database.close();
  await fresh.drop();
});

const raise = (code: string): string => `DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${code}'; END $$`;
const unavailable = { name: 'Problem', code: 'database-unavailable', cause: expect.anything() };

describe('what PostgreSQL answers', () => {
  test.each([
    ['the connection is broken', '08006'],
    ['the disk is full', '53100'],
    ['there are too many connections', '53300'],
    ['an operator ended the connection', '57P01'],
    ['a neighbour crashed', '57P02'],
    ['the server is starting', '57P03'],
    ['the statement took too long', '57014'],
    ['the disk has a fault', '58030'],
    ['nothing may be written', '25006'],
  ])('%s: the database is unavailable (%s)', async (_what, code) => {
    await expect(database.prisma.$executeRawUnsafe(raise(code))).rejects.toMatchObject(unavailable);
    const transaction = database.prisma.$transaction((tx) => tx.$executeRawUnsafe(raise(code)));
    await expect(transaction).rejects.toMatchObject(unavailable);
  });

  test.each(['40001', '40P01', '55P03'])('another writer was first (%s)', async (code) => {
    const conflict = { name: 'Problem', code: 'write-conflict' };
    await expect(database.prisma.$executeRawUnsafe(raise(code))).rejects.toMatchObject(conflict);
  });

  test.each(['42P01', '23514', '42501', 'XX000'])(
    'a mistake of ours is no fault of the database (%s)',
    async (code) => {
      await expect(database.prisma.$executeRawUnsafe(raise(code))).rejects.toMatchObject({ code: 'P2010' });
    },
  );

  test.each([
    ['57P01', unavailable],
    ['40001', { name: 'Problem', code: 'write-conflict' }],
  ])('the commit as well (%s)', async (code, problem) => {
    await database.pool.query(`
      CREATE TABLE at_commit (id int);
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${code}'; END $$;
      CREATE CONSTRAINT TRIGGER refuses AFTER INSERT ON at_commit DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION refuse()`);
    const transaction = database.prisma.$transaction((tx) => tx.$executeRaw`INSERT INTO at_commit VALUES (1)`);
    await expect(transaction).rejects.toMatchObject(problem);
    await database.pool.query('DROP TABLE at_commit; DROP FUNCTION refuse');
  });

  test('a statement of a model as well', async () => {
    await database.pool.query('ALTER TABLE app_group ADD CONSTRAINT slow CHECK (pg_sleep(0.3) IS NOT NULL)');
    const slow = database.prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SET LOCAL statement_timeout = 100`;
      await tx.group.create({ data: { id: 'group_1', name: 'Finance' } });
    });
    await expect(slow).rejects.toMatchObject(unavailable);
  });
});

/** What PostgreSQL says to a new connection if its disk is full: ErrorResponse, with the code of an internal error. */
function refuseFatally(socket: Socket): void {
  const fields = Buffer.from('SFATAL\0VFATAL\0CXX000\0Mcould not write init file\0\0');
  const head = Buffer.from([0x45, 0, 0, 0, fields.length + 4]);
  socket.once('data', () => socket.end(Buffer.concat([head, fields])));
}

describe('a connection that is not there', () => {
  const silent = new Set<Socket>();
  let server: Server;
  const urlOf = (port: number): string => `postgresql://a:b@127.0.0.1:${port}/c`;
  beforeAll(async () => {
    server = createServer((socket) => void silent.add(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    for (const socket of silent) socket.destroy();
    server?.close();
  });

  test('because nothing listens', async () => {
    const closed = openDatabase(urlOf(9));
    await expect(closed.prisma.$queryRaw`SELECT 1`).rejects.toMatchObject(unavailable);
    await expect(closed.prisma.group.findMany()).rejects.toMatchObject(unavailable);
    await expect(closed.prisma.$transaction((tx) => tx.$queryRaw`SELECT 1`)).rejects.toMatchObject(unavailable);
    await expect(closed.prisma.$transaction([closed.prisma.group.findMany()])).rejects.toMatchObject(unavailable);
    await closed.close();
  });

  test('because the role has no more of them', async () => {
    const login = `limited_${Date.now()}`;
    await database.pool.query(`CREATE ROLE ${login} LOGIN PASSWORD 'x' CONNECTION LIMIT 0`);
    const limitedUrl = new URL(fresh.url);
    limitedUrl.username = login;
    limitedUrl.password = 'x';
    const limited = openDatabase(limitedUrl.href);
    await expect(limited.prisma.$queryRaw`SELECT 1`).rejects.toMatchObject(unavailable);
    await expect(limited.prisma.group.findMany()).rejects.toMatchObject(unavailable);
    await limited.close();
    await database.pool.query(`DROP ROLE ${login}`);
  });

  test.each([
    ['the server says nothing', async (pool: pg.Pool) => pool.query('SELECT 1')],
    [
      'the server ends it at once',
      async (pool: pg.Pool) => {
        server.once('connection', (socket) => socket.destroy());
        return pool.query('SELECT 1');
      },
    ],
  ])('because %s', async (_why, ask) => {
    const { port } = server.address() as AddressInfo;
    const pool = new pg.Pool({ connectionString: urlOf(port), connectionTimeoutMillis: 200 });
    const error: unknown = await ask(pool).catch((cause: unknown) => cause);
    expect(error).not.toHaveProperty('severity');
    expect(problemFrom(error)).toMatchObject(unavailable);
  });

  test('because the server ends it with an error of its own, as on a full disk', async () => {
    server.on('connection', refuseFatally);
    const { port } = server.address() as AddressInfo;
    const full = openDatabase(urlOf(port));
    await expect(full.prisma.$queryRaw`SELECT 1`).rejects.toMatchObject(unavailable);
    await expect(full.prisma.group.findMany()).rejects.toMatchObject(unavailable);
    const error: unknown = await full.pool.query('SELECT 1').catch((cause: unknown) => cause);
    expect(problemFrom(error)).toMatchObject(unavailable);
    await full.close();
    server.off('connection', refuseFatally);
  });

  test('because all of the pool are in use', async () => {
    const pool = new pg.Pool({ connectionString: fresh.url, max: 1, connectionTimeoutMillis: 1_000 });
    const client = await pool.connect();
    const error: unknown = await pool.query('SELECT 1').catch((cause: unknown) => cause);
    expect(problemFrom(error)).toMatchObject(unavailable);
    client.release();
    await pool.end();
  });

  test('because it is cut in the middle of a statement, or of a transaction', async () => {
    const { prisma, close } = openDatabase(fresh.url, { statementTimeout: 60_000 });
    const asleep = [
      prisma.$queryRaw`SELECT pg_sleep(50)::text`,
      prisma.$transaction((tx) => tx.$queryRaw`SELECT pg_sleep(50)::text`, { timeout: 60_000 }),
    ];
    let left = asleep.length;
    for (const statement of asleep) void statement.catch(() => {}).then(() => (left -= 1));
    const other = openDatabase(fresh.url);
    const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE 'SELECT pg_sleep(50)%'`;
    while (left > 0) await other.pool.query(cut); // one that has not ended yet is found again
    for (const statement of asleep) await expect(statement).rejects.toMatchObject(unavailable);
    await Promise.all([other.close(), close()]);
  });
});
