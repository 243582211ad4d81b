import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { SystemState } from '#platform/nodes/contract/ready';
import { factsOf } from '#notify/chat/contract';
import { deliveryFault } from '#notify/contract/delivery-fault';
import { failedQuery, systemQuery } from '../../people/users/directory-queries.ts';
import { describeShortMoment } from '../../ui/relative-time.ts';
import { OperatorsPage } from '../../settings/OperatorsPage.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Age } from '../../ui/Moment.tsx';
import { Notice } from '../../ui/Notice.tsx';
import page from '../../ui/Page.module.css';
import { Revealed } from '../../ui/Revealed.tsx';
import classes from '../../settings/Users.module.css';
import { formatWarning } from '../../ui/words/warning-words.ts';
import { deliveries, system as words } from '../../settings/words/words.ts';

type Code = SystemState['warnings'][number]['warning']['code'];

/** State of the installation, part by part, with the remedy for each fault. */
export const SystemPage = () => (
  <OperatorsPage title={words.title} lead={words.lead}>
    <State />
  </OperatorsPage>
);

function State() {
  const system = useQuery(systemQuery);
  const givenUp = useQuery(failedQuery).data?.length;
  return (
    <Loaded query={system}>
      {(state) => (
        <>
          {state.warnings.length === 0 && <Notice tone="good" title={words.fine} />}
          {state.warnings.map((warning) => (
            <Warning key={warning.warning.code} {...warning} />
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

const alarming: readonly Code[] = ['log-changed', 'witness-disagrees'];

/** Page for the remedy of a warning. */
const links: Partial<Record<Code, { to: string; text: string }>> = {
  'keys-expire': { to: '/settings/servers', text: words.links.servers },
  'mails-fail': { to: '/settings/webhooks', text: words.links.deliveries },
  'log-changed': { to: '/audit', text: words.links.audit },
  'witness-disagrees': { to: '/audit', text: words.links.audit },
};

function Warning({ warning, since }: SystemState['warnings'][number]) {
  const { what, means, todo } = formatWarning(warning, describeShortMoment);
  const link = links[warning.code];
  return (
    <Notice tone={alarming.includes(warning.code) ? 'danger' : 'warn'} title={<Revealed text={what} />}>
      <p>{means}</p>
      <p>{todo}</p>
      <p className={page.small}>
        {words.noticed} <Age at={since} />
      </p>
      {link && <Link to={link.to}>{link.text}</Link>}
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

/** Milliseconds above which a page feels slow. */
const slowMs = 1_000;

function partsOf(state: SystemState, givenUp: number | undefined): Part[] {
  const { proof, witnesses, streams, chats, backupAt, databaseMs } = state;
  return [
    nodesPart(state),
    {
      name: words.database,
      state: words.answers(databaseMs),
      ...(databaseMs > slowMs && { todo: words.slowTodo }),
    },
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
      streams.map(({ name, delivered, size, fault, failingSince }) => ({
        text: words.streamed(name, delivered, size),
        ...(fault !== null && { after: words.streamFails(name, fault), at: failingSince }),
      })),
      words.streamTodo,
    ),
    listed(
      words.witnesses,
      witnesses.map(({ name, size, at }) => ({
        text: words.witnessed(name, size),
        ...(at !== null && { after: words.cosigned, at }),
      })),
      words.witnessTodo,
    ),
    mailPart(state),
    listed(
      words.chat,
      chats.map((name) => ({ text: factsOf(name).label ?? name })),
      words.chatTodo,
    ),
    { name: words.push, state: words.pushState, todo: <Link to="/account">{words.pushLink}</Link> },
    ...(givenUp === undefined ? [] : [deliveryPart(givenUp)]),
    backupAt === null
      ? { name: words.backups, state: words.noBackup, todo: words.noBackupTodo }
      : { name: words.backups, state: <Age at={backupAt} />, todo: words.backupTodo },
  ];
}

function nodesPart({ nodes, silentNodes }: SystemState): Part {
  const versions = [...new Set(nodes.flatMap(({ version }) => version ?? []))];
  const [last] = silentNodes;
  return {
    name: words.nodes,
    state: (
      <>
        {words.running(nodes.length)}
        <span className={classes.second}>{words.version(versions)}</span>
        {last && (
          <span className={classes.second}>
            {words.silentNodes(silentNodes.length)} <Age at={last.at} />
          </span>
        )}
      </>
    ),
    ...(last && { todo: words.silentTodo }),
  };
}

function mailPart({ sendsMails, warnings }: SystemState): Part {
  if (!sendsMails) return { name: words.mail, state: words.notSent, todo: words.mailTodo };
  const [failing] = warnings.flatMap(({ warning }) => (warning.code === 'mails-fail' ? [warning] : []));
  if (failing === undefined) return { name: words.mail, state: words.sends };
  return {
    name: words.mail,
    state: (
      <>
        {words.mailFails(failing.fault)} <Age at={failing.since} />
      </>
    ),
    ...todoOf(failing.fault),
  };
}

/** Remedy for the code of a fault, if known. */
function todoOf(code: string): Pick<Part, 'todo'> {
  const fault = deliveryFault(code);
  return fault === null ? {} : { todo: deliveries.todo[fault] };
}

const deliveryPart = (givenUp: number): Part =>
  givenUp === 0
    ? { name: words.deliveries, state: words.delivered }
    : {
        name: words.deliveries,
        state: words.givenUp(givenUp),
        todo: <Link to="/settings/webhooks">{words.deliveriesLink}</Link>,
      };

interface Line {
  text: string;
  /** Note below it, with its moment. */
  after?: string;
  at?: number | null;
}

/** Lists each line; the remedy if there is none. */
const listed = (name: string, lines: Line[], todo: string): Part =>
  lines.length === 0
    ? { name, state: words.none, todo }
    : {
        name,
        state: lines.map(({ text, after, at }) => (
          <div key={text}>
            <Revealed text={text} />
            {after !== undefined && (
              <span className={classes.second}>
                <Revealed text={after} /> {typeof at === 'number' && <Age at={at} />}
              </span>
            )}
          </div>
        )),
      };
