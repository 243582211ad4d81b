import { useQuery } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { ReadyWarning, SystemState } from '#protocol/contract/ready';
import { factsOf } from '#protocol/model/channels';
import { failedQuery, systemQuery } from '../../../lib/directory-queries.ts';
import { may } from '../../../lib/permission-table.ts';
import { describeShortMoment } from '../../../lib/relative-time.ts';
import { useUser } from '../../../lib/use-user.ts';
import { DataTable } from '../../../ui/DataTable.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Age } from '../../../ui/Moment.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import page from '../../../ui/page/Page.module.css';
import { PageHead } from '../../../ui/page/PageHead.tsx';
import { Reason } from '../../../ui/ReasonedButton.tsx';
import { Revealed } from '../../../ui/Revealed.tsx';
import classes from '../Users.module.css';
import { system as words } from '../words/words.ts';

/** How the installation is, part by part, and what to do about each that is not as it should be. */
export function SystemPage() {
  const permission = may(useUser(), 'change-webhooks');
  const id = useId();
  return (
    <div className={page.stack}>
      <PageHead title={words.title} lead={words.lead} />
      <Reason id={id} permission={permission} />
      {permission.allowed && <State />}
    </div>
  );
}

function State() {
  const system = useQuery(systemQuery);
  const givenUp = useQuery(failedQuery).data?.length;
  return (
    <Loaded query={system}>
      {(state) => (
        <>
          {state.warnings.length === 0 && <Notice tone="good" title={words.fine} />}
          {state.warnings.map((warning) => (
            <Warning key={warning.code} warning={warning} />
          ))}
          <DataTable
            caption={words.title}
            columns={columns}
            rows={partsOf(state, givenUp)}
            keyOf={({ name }) => name}
          />
        </>
      )}
    </Loaded>
  );
}

const alarming: readonly ReadyWarning['code'][] = ['log-changed', 'witness-disagrees'];

function Warning({ warning }: { warning: ReadyWarning }) {
  const { what, todo } = words.warning(warning, describeShortMoment);
  return (
    <Notice tone={alarming.includes(warning.code) ? 'danger' : 'warn'} title={<Revealed text={what} />}>
      <p>{todo}</p>
      {warning.code === 'keys-expire' && <Link to="/settings/servers">{words.keysLink}</Link>}
    </Notice>
  );
}

interface Part {
  name: string;
  state: ReactNode;
  todo?: ReactNode;
}

const columns = [
  { head: words.part, isName: true, cell: ({ name }: Part) => name },
  { head: words.state, cell: ({ state }: Part) => state },
  { head: words.todo, isLong: true, cell: ({ todo }: Part) => todo },
];

function partsOf(
  { nodes, proof, witnesses, streams, sendsMails, chats, backupAt }: SystemState,
  givenUp: number | undefined,
): Part[] {
  const versions = [...new Set(nodes.flatMap(({ version }) => version ?? []))];
  return [
    {
      name: words.nodes,
      state: (
        <>
          {words.running(nodes.length)}
          <span className={classes.second}>{words.version(versions)}</span>
        </>
      ),
    },
    { name: words.database, state: words.answers },
    proof === null
      ? { name: words.log, state: words.unverified, todo: words.unverifiedTodo }
      : {
          name: words.log,
          state: (
            <>
              {words.verified(proof.size)}, <Age at={proof.at} />
            </>
          ),
        },
    listed(
      words.streams,
      streams.map(({ name, delivered, size }) => words.streamed(name, delivered, size)),
      words.streamTodo,
    ),
    listed(
      words.witnesses,
      witnesses.map(({ name, size }) => words.witnessed(name, size)),
      words.witnessTodo,
    ),
    sendsMails
      ? { name: words.mail, state: words.sends }
      : { name: words.mail, state: words.notSent, todo: words.mailTodo },
    listed(
      words.chat,
      chats.map((name) => factsOf(name).label ?? name),
      words.chatTodo,
    ),
    { name: words.push, state: words.pushState, todo: <Link to="/account">{words.pushLink}</Link> },
    ...(givenUp === undefined ? [] : [deliveryPart(givenUp)]),
    backupAt === null
      ? { name: words.backups, state: words.noBackup, todo: words.noBackupTodo }
      : { name: words.backups, state: <Age at={backupAt} />, todo: words.backupTodo },
  ];
}

const deliveryPart = (givenUp: number): Part =>
  givenUp === 0
    ? { name: words.deliveries, state: words.delivered }
    : {
        name: words.deliveries,
        state: words.givenUp(givenUp),
        todo: <Link to="/settings/webhooks">{words.deliveriesLink}</Link>,
      };

/** Each in a line of its own; what to do if there is none. */
const listed = (name: string, lines: string[], todo: string): Part =>
  lines.length === 0
    ? { name, state: words.none, todo }
    : {
        name,
        state: lines.map((line) => (
          <div key={line}>
            <Revealed text={line} />
          </div>
        )),
      };
