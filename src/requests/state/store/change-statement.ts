import { Prisma } from '#platform/database/generated/prisma/client';
import type { Evidence } from '#audit/entries/rules/evidence';
import { bigint, boolean, bytes, json, recordset, text, texts, time } from '#platform/database/sql';
import { epochFields, epochInput, isEpochOf } from '#platform/database/epochs';
import { insertEntries, entryTable } from '#audit/entries/store/entries';
import {
  changedColumns,
  elicitationTable,
  revisedColumns,
  breakGlassDigest,
  revisionDigest,
  columnsOf,
  nextRow,
  unreviewed,
  type ElicitationChange,
} from './row.ts';
import { grantTable } from '../../grants/store/tables.ts';
import { breakGlassTable, remarkTable, revisionTable, voteTable } from '../../deliberation/store/tables.ts';
import { grantedBy } from '../../grants/store/grants.ts';
import { eventColumns } from '#connect/outcomes/store';
import { connectionColumns } from '#connect/credentials/store';
import { announce } from '../../asking/store/opening.ts';

const changed = elicitationTable.only(...changedColumns);
const revised = elicitationTable.only(...revisedColumns);

/** Input of the statement next to these columns. */
const others = recordset({
  ...elicitationTable.only('id', 'version', 'serverId').columns,
  turnUser: text<string | null>(),
  turnAfter: bigint<number | null>(),
  session: bytes<Uint8Array | null>(),
  topics: texts(),
  isTold: boolean(),
  vote: json<object | null>(),
  replaced: json<object | null>(),
  remark: json<object | null>(),
  breakGlass: json<object | null>(),
  appGrant: json<object | null>(),
  connection: json<object | null>(),
  otherHashes: texts(),
  former: text<string | null>(),
  providerEvent: json<object | null>(),
  changedAt: time(),
  entries: json<object[]>(),
  ...epochInput,
});

/**
 * One statement that stores each change with everything that belongs to it, if its row is still at its version, and
 * answers with what is to be announced.
 */
export function changeStatement(evidence: Evidence, changes: ElicitationChange[]): Prisma.Sql {
  const { strings } = changes.some(({ connection, providerEvent }) => connection ?? providerEvent)
    ? withProviders
    : statement;
  return new Prisma.Sql(strings, [JSON.stringify(changes.map((change) => inputOf(evidence, change)))]);
}

/** Every row that the change leaves behind, in the JSON of the statement and, by its digest, in its entry. */
function inputOf(evidence: Evidence, change: ElicitationChange): object {
  const { entry, session = null, turn, topics, epoch, connection, providerEvent } = change;
  const next = columnsOf(nextRow(change));
  const { vote, remark, replaced, breakGlass, grant } = partsOf(change);
  const rows = {
    [next.id]: elicitationTable.digest(next),
    ...(vote && { [vote.id]: voteTable.digest(vote) }),
    ...(remark && { [remark.id]: remarkTable.digest(remark) }),
    ...(replaced && revisionDigest(replaced)),
    ...(breakGlass && breakGlassDigest(breakGlass)),
    ...(grant && { [grant.id]: grantTable.digest(grant) }),
  };
  return {
    ...changed.toJson(next),
    ...(change.revised && revised.toJson(next)),
    ...others.toJson({
      id: next.id,
      version: change.row.version,
      serverId: next.serverId,
      turnUser: turn?.user ?? null,
      turnAfter: turn?.after ?? null,
      session,
      topics,
      isTold: change.revised?.isTold ?? false,
      vote: vote && voteTable.toJson(vote),
      replaced: replaced && revisionTable.toJson(replaced),
      remark: remark && remarkTable.toJson(remark),
      breakGlass: breakGlass && breakGlassTable.toJson(breakGlass),
      appGrant: grant && grantTable.toJson(grant),
      connection: connection ? connectionColumns.toJson(connection.row) : null,
      otherHashes: (connection?.otherHashes ?? []).map((hash) => Buffer.from(hash).toString('hex')),
      former: connection?.former ?? null,
      providerEvent: providerEvent ? eventColumns.toJson(providerEvent) : null,
      changedAt: entry.at,
      entries: [
        entryTable.toJson(evidence.seal(entry, rows, grant?.id)),
        ...(connection ? [entryTable.toJson(evidence.seal(connection.entry, {}))] : []),
      ],
      ...epochFields(epoch),
    }),
  };
}

/** The rows that hang on the request. */
function partsOf({ row: { id: elicitationId }, entry: { at }, ...change }: ElicitationChange) {
  const { vote, remark, replaced, breakGlass, grant } = change;
  return {
    vote: vote && { ...vote, elicitationId, at },
    remark: remark ? { ...remark, elicitationId, at } : null,
    replaced: replaced ? { ...replaced, elicitationId, at } : null,
    breakGlass: breakGlass ? { ...breakGlass, elicitationId, at, ...unreviewed } : null,
    grant: grant ? grantedBy(elicitationId, at, grant) : null,
  };
}

const isSignedIn = Prisma.sql`
  (i.session IS NULL OR EXISTS (SELECT FROM session s WHERE s.hash = decode(i.session, 'base64')
     AND s.expires_at > to_timestamp(i.changed_at / 1000.0)))`;

/** The row of the person makes two of their votes wait for each other; the second then does not have its turn. */
const takeTurns = Prisma.sql`
  INSERT INTO approver_turn AS t (user_id, turn)
  SELECT turn_user, turn_after + 1 FROM input WHERE turn_user IS NOT NULL ORDER BY turn_user
  ON CONFLICT (user_id) DO UPDATE SET turn = excluded.turn WHERE t.turn = excluded.turn - 1
  RETURNING user_id`;

const isTheirTurn = Prisma.sql`(i.turn_user IS NULL OR i.turn_user IN (SELECT user_id FROM turned))`;

/**
 * The latest connection of a person for a server to a provider is the one, and the former's tokens are left to be withdrawn; an
 * event is kept once.
 */
const ofProviders = Prisma.sql`withdrawn AS (
      INSERT INTO connection_withdrawal (id, server_id, user_id, hash, provider, sealed, removed_at, due_at)
      SELECT c.id, c.server_id, c.user_id, c.hash, c.provider, c.sealed, i.at, i.at
        FROM stored i JOIN upstream_credential c ON c.id = i.former
      ON CONFLICT DO NOTHING
    ), replaced AS (
      DELETE FROM upstream_credential c USING stored i, jsonb_to_record(i.connection) AS n(${connectionColumns.definition})
       WHERE c.server_id = n.server_id AND c.provider = n.provider AND encode(c.hash, 'hex') = ANY(i.other_hashes)
    ), connected AS (
      INSERT INTO upstream_credential AS c (${connectionColumns.list})
      SELECT ${connectionColumns.values('n')}
        FROM stored i, jsonb_to_record(i.connection) AS n(${connectionColumns.definition})
       WHERE i.connection IS NOT NULL
      ON CONFLICT (server_id, hash, provider) WHERE provider IS NOT NULL DO UPDATE
        SET id = excluded.id, user_id = excluded.user_id, sealed = excluded.sealed, stored_at = excluded.stored_at,
            expires_at = excluded.expires_at, refresh_until = NULL, refused_at = NULL, used_at = NULL,
            version = c.version + 1
    ), noted AS (
      INSERT INTO provider_event (${eventColumns.list})
      SELECT ${eventColumns.values('p')}
        FROM stored i, jsonb_to_record(i.provider_event) AS p(${eventColumns.definition})
       WHERE i.provider_event IS NOT NULL
      ON CONFLICT DO NOTHING
    ), `;

/** Its one parameter is the JSON of the rows. */
const statementWith = (also: Prisma.Sql): Prisma.Sql => Prisma.sql`
    WITH input AS (
      SELECT * FROM jsonb_to_recordset(${null}::jsonb) AS input(
        ${others.definition}, ${changed.definition}, ${revised.definition})
    ), turned AS (
      ${takeTurns}
    ), changed AS (
      UPDATE elicitation AS e SET version = e.version + 1, ${changed.assignments('i')},
        ${revised.assignmentsIfAny('i', 'e')}
        FROM input AS i WHERE e.id = i.id AND e.version = i.version AND ${isEpochOf(Prisma.sql`i`)} AND ${isSignedIn}
          AND ${isTheirTurn}
      RETURNING e.id
    ), stored AS (
      SELECT input.*, to_timestamp(changed_at / 1000.0) AS at FROM input JOIN changed USING (id)
    ), voted AS (
      INSERT INTO vote (${voteTable.list})
      SELECT ${voteTable.values('v')} FROM stored i, jsonb_to_record(i.vote) AS v(${voteTable.definition})
       WHERE i.vote IS NOT NULL
    ), kept AS (
      INSERT INTO revision (${revisionTable.list})
      SELECT ${revisionTable.values('r')} FROM stored i, jsonb_to_record(i.replaced) AS r(${revisionTable.definition})
       WHERE i.replaced IS NOT NULL
    ), told AS (
      INSERT INTO chat_request (elicitation_id) SELECT id FROM stored WHERE is_told
      ON CONFLICT DO NOTHING
    ), remarked AS (
      INSERT INTO remark (${remarkTable.list})
      SELECT ${remarkTable.values('r')} FROM stored i, jsonb_to_record(i.remark) AS r(${remarkTable.definition})
       WHERE i.remark IS NOT NULL
    ), broken AS (
      INSERT INTO break_glass (${breakGlassTable.list})
      SELECT ${breakGlassTable.values('b')}
        FROM stored i, jsonb_to_record(i.break_glass) AS b(${breakGlassTable.definition})
       WHERE i.break_glass IS NOT NULL
    ), granted AS (
      INSERT INTO app_grant (${grantTable.list})
      SELECT ${grantTable.values('g')} FROM stored i, jsonb_to_record(i.app_grant) AS g(${grantTable.definition})
       WHERE i.app_grant IS NOT NULL
    ), ${also}entry AS (
      ${insertEntries(Prisma.sql`stored`, Prisma.sql`entries`)}
    ), ${announce(Prisma.sql`SELECT unnest(topics) AS topic, id, server_id, at FROM stored`)}`;

const statement = statementWith(Prisma.empty);
const withProviders = statementWith(ofProviders);
