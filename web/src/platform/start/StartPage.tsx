import { may } from '../../people/roles/permission-table.ts';
import { Link } from 'react-router';
import { useUser } from '../../people/users/use-user.ts';
import page from '../../ui/Page.module.css';
import { PageHead } from '../../ui/PageHead.tsx';
import classes from './Start.module.css';
import {
  words,
  connect as connectStepWords,
  people as peopleStepWords,
  steps as stepWords,
  policy as policyStepWords,
  test as testStepWords,
  snippets as snippetsWords,
} from './words/words.ts';
import { Button, TextInput } from '@mantine/core';
import { useQuery, type UseQueryResult, queryOptions } from '@tanstack/react-query';
import { useState, type SubmitEvent, type ReactNode, useId } from 'react';
import { keyRoutes, type KeyEntry } from '#access/keys/contract/key';
import { testRequestRoutes } from '#requests/tests/contract';
import { call } from '../../client/call.ts';
import { keysQuery, usersQuery, useIsOnlyAdministrator, policiesQuery } from '../../people/users/directory-queries.ts';
import { fieldFaults } from '../../ui/field-faults.ts';
import { ChangeNotice } from '../../people/changes/ChangeNotice.tsx';
import { ProblemNotice, Notice } from '../../ui/Notice.tsx';
import { useChange } from '../../people/changes/use-change.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Age } from '../../ui/Moment.tsx';
import { formats } from '../../language/language.ts';
import { Tick } from '../../ui/icons.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import unseen from '../../shell/Unseen.module.css';
import { firstPolicy, testServer } from '#platform/model/names';
import { gallery } from '../../ui/words/gallery-words.ts';
import { galleryNames } from '../../ui/words/gallery-names.ts';
import { StatusMark } from '../../ui/marks.tsx';
import tabs from '../../shell/Tabs.module.css';
import { readInbox } from '../../requests/inbox/inbox.ts';

/** Steps from an empty installation to the first own request. Done steps follow from the stored data. */
export function StartPage() {
  const isAdministrator = may(useUser(), 'change-directory').allowed;
  return (
    <div className={page.stack}>
      <PageHead title={words.title} lead={isAdministrator ? words.lead : words.administratorsOnly} />
      {isAdministrator && (
        <ol className={classes.steps}>
          <ConnectStep place={1} />
          <TestStep place={2} />
          <PeopleStep place={3} />
          <PolicyStep place={4} />
        </ol>
      )}
      <p>
        <Link to="/inbox">{words.inbox}</Link>
      </p>
    </div>
  );
}

/** Interval in milliseconds at which the page checks for a server's call. */
const lookIntervalMs = 5_000;

/** The latest server that called, as the sign that the pasted text works. */
function formatCalled(keys: KeyEntry[]) {
  const used = keys.flatMap(({ server, lastUsedAt, revokedAt }) =>
    lastUsedAt === null || revokedAt !== null ? [] : [{ name: server.name, at: lastUsedAt }],
  );
  const [last] = used.toSorted((first, other) => other.at - first.at);
  return last === undefined ? null : (
    <>
      {connectStepWords.connected(last.name)} <Age at={last.at} />
    </>
  );
}

/** A key for the first server, and the text to paste with it. */
function ConnectStep({ place }: { place: number }) {
  const [server, setServer] = useState('my-server');
  const create = useChange(() => call(keyRoutes.createKey, { body: { server: server.trim() } }));
  const fault = fieldFaults(create.error)['server'];
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <Step
      place={place}
      words={connectStepWords}
      query={useQuery({ ...keysQuery, refetchInterval: lookIntervalMs })}
      isDone={hasKey}
      result={formatCalled}
    >
      {() => (
        <>
          {create.isError && fault === undefined && <ProblemNotice error={create.error} />}
          <form onSubmit={onSubmit} className={classes.key} noValidate>
            <TextInput
              label={connectStepWords.server}
              value={server}
              error={fault}
              onChange={(event) => setServer(event.currentTarget.value)}
              autoComplete="off"
            />
            <Button type="submit" variant={create.data ? 'default' : 'filled'} loading={create.isPending}>
              {create.data ? connectStepWords.another : connectStepWords.create}
            </Button>
          </form>
          <ChangeNotice change={create.data} />
          {create.data && <NewKey server={create.data.server} value={create.data.key} />}
          <Snippets
            key={create.data?.key}
            first={create.data ? 'claude' : 'typescript'}
            connection={{
              url: location.origin,
              key: create.data?.key ?? 'asn_…',
              server: create.data?.server ?? server.trim(),
            }}
          />
        </>
      )}
    </Step>
  );
}

/** The key itself, which most of the code to paste does not contain. */
const NewKey = ({ server, value }: { server: string; value: string }) => (
  <div className={classes.made}>
    <p role="status" className={page.small}>
      {connectStepWords.shownOnce(server)}
    </p>
    <div className={classes.key}>
      <TextInput
        label={connectStepWords.key}
        readOnly
        value={value}
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton text={value} />
    </div>
  </div>
);

/** Step to add a second person, with the powers of a single administrator until then. */
function PeopleStep({ place }: { place: number }) {
  const isOnly = useIsOnlyAdministrator();
  return (
    <Step place={place} words={peopleStepWords} query={useQuery(usersQuery)} isDone={(users) => users.length > 1}>
      {() => (
        <>
          {isOnly && (
            <Notice title={peopleStepWords.alone}>
              <p>{peopleStepWords.aloneNote}</p>
            </Notice>
          )}
          <div className={page.actions}>
            <Link to="/settings/people/new" className={page.action}>
              {peopleStepWords.add}
            </Link>
          </div>
        </>
      )}
    </Step>
  );
}

interface StepProps<T> {
  place: number;
  words: { title: string; note: string; done: string; another?: string };
  /** Stored data that decide whether the step is done. */
  query: UseQueryResult<T>;
  isDone: (data: T) => boolean;
  /** Result of the step, if there is more to tell than that it is done. */
  result?: (data: T) => ReactNode;
  children: (data: T) => ReactNode;
}

/** One step of the list, after its data are loaded. */
export const Step = <T,>({ query, isDone, result, children, ...step }: StepProps<T>) => (
  <li className={classes.step}>
    <Loaded query={query}>
      {(data) => (
        <Body {...step} isDone={isDone(data)} result={result?.(data)}>
          {children(data)}
        </Body>
      )}
    </Loaded>
  </li>
);

interface BodyProps extends Pick<StepProps<never>, 'place' | 'words'> {
  isDone: boolean;
  result: ReactNode;
  children: ReactNode;
}

/** Body of a step. It is folded if done before the page was opened; a step done here stays open to be read. */
function Body({ place, words: { title, note, done, another }, isDone, result, children }: BodyProps) {
  const [wasDone] = useState(isDone);
  return (
    <>
      <span className={classes.place} data-done={isDone} aria-hidden="true">
        {isDone ? <Tick /> : formats.number(place)}
      </span>
      <div className={classes.body}>
        <h2 className={page.subtitle}>
          {title} {isDone && <span className={unseen.unseen}>{stepWords.done}</span>}
        </h2>
        <p className={page.soft}>{isDone ? (result ?? done) : note}</p>
        {wasDone ? (
          <details>
            <summary className={classes.again}>{another ?? stepWords.again}</summary>
            <div className={classes.content}>{children}</div>
          </details>
        ) : (
          <div className={classes.content}>{children}</div>
        )}
      </div>
    </>
  );
}

/** The first own policy, from a similar example. */
export const PolicyStep = ({ place }: { place: number }) => (
  <Step
    place={place}
    words={policyStepWords}
    query={useQuery(policiesQuery)}
    isDone={(policies) => policies.some(({ name }) => name !== firstPolicy)}
  >
    {() => (
      <ul className={classes.gallery}>
        {galleryNames.map((name) => (
          <li key={name}>
            <Link to={`/new-policy?from=${name}`} className={classes.example}>
              <strong>{gallery[name].title}</strong>
              <span>{gallery[name].note}</span>
            </Link>
          </li>
        ))}
      </ul>
    )}
  </Step>
);

/** A real request that people decide, before any own server is connected. */
function TestStep({ place }: { place: number }) {
  const isNext = hasKey(useQuery(keysQuery).data ?? []);
  const send = useChange(() => call(testRequestRoutes.sendTestRequest), { queries: [['inbox']] });
  return (
    <Step
      place={place}
      words={testStepWords}
      query={useQuery(testRequestQuery)}
      isDone={(request) => request !== null && request.closedAt !== null}
    >
      {(request) => (
        <>
          {send.isError && <ProblemNotice error={send.error} />}
          <div className={page.actions}>
            {request !== null && (
              <>
                <StatusMark {...request} />
                <Link to={`/requests/${request.id}`} className={page.action}>
                  {testStepWords.open}
                </Link>
              </>
            )}
            {request?.closedAt !== null && (
              <Button
                variant={request === null && isNext ? 'filled' : 'default'}
                loading={send.isPending}
                onClick={() => send.mutate()}
              >
                {request === null ? testStepWords.send : testStepWords.again}
              </Button>
            )}
          </div>
        </>
      )}
    </Step>
  );
}

/** Texts to copy that connect each client. */
function Snippets({ connection, first }: { connection: Connection; first: SnippetKind }) {
  const [kind, setKind] = useState<SnippetKind>(first);
  const id = useId();
  const text = writeSnippet(kind, connection);
  const file = snippetFiles[kind];
  return (
    <div className={classes.snippets}>
      <div role="group" aria-label={snippetsWords.group} className={`${tabs.tabs} ${classes.kinds}`}>
        {snippetKinds.map((choice) => (
          <button
            key={choice}
            type="button"
            className={`${tabs.tab} ${classes.kind}`}
            aria-pressed={choice === kind}
            onClick={() => setKind(choice)}
          >
            {snippetsWords.kinds[choice]}
          </button>
        ))}
      </div>
      <p id={id} className={page.small}>
        {snippetsWords.notes[kind]} {file !== null && <code>{file}</code>}
      </p>
      <pre className={classes.code} aria-describedby={id} tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} />
    </div>
  );
}

/** The latest test request: a waiting one, else an ended one; null if none was ever sent. */
const testRequestQuery = queryOptions({
  queryKey: ['inbox', 'test'],
  queryFn: async ({ signal }) => {
    const read = (view: string) =>
      readInbox(new URLSearchParams({ view, server: testServer.name, limit: '1' }), signal);
    const [open, ended] = await Promise.all([read('all'), read('done')]);
    return open.items[0] ?? ended.items[0] ?? null;
  },
});

/** Does a server have a valid key by now? */
export const hasKey = (keys: readonly Pick<KeyEntry, 'revokedAt'>[]): boolean =>
  keys.some(({ revokedAt }) => revokedAt === null);

export interface Connection {
  url: string;
  key: string;
  server: string;
}

export const snippetKinds = ['typescript', 'claude', 'cursor', 'vscode', 'inspector', 'curl'] as const;
type SnippetKind = (typeof snippetKinds)[number];

/** File of each kind of text; null if it is run, not kept. */
const snippetFiles = {
  typescript: 'server.mjs',
  claude: '.mcp.json',
  cursor: '.cursor/mcp.json',
  vscode: '.vscode/mcp.json',
  inspector: null,
  curl: null,
} satisfies Record<SnippetKind, string | null>;

/** Text to paste to connect a server, with its key filled in. */
export function writeSnippet(kind: SnippetKind, connection: Connection): string {
  const { server } = connection;
  switch (kind) {
    case 'typescript':
      return writeTypeScript(server);
    case 'claude':
    case 'cursor':
      return json({ mcpServers: { [server]: launchOf(connection) } });
    case 'vscode':
      return json({ servers: { [server]: { type: 'stdio', ...launchOf(connection) } } });
    case 'inspector':
      return writeInspector(connection);
    case 'curl':
      return writeCurl(connection);
  }
}

const launchOf = ({ url, key }: Connection) => ({
  command: 'node',
  args: [`/absolute/path/to/${snippetFiles.typescript}`],
  env: { ASSENTRY_URL: url, ASSENTRY_API_KEY: key },
});

const json = (value: unknown): string => JSON.stringify(value, null, 2);

// The code contains no key: it comes from the environment, which the client sets.
const writeTypeScript = (
  server: string,
): string => `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';
import { assentry } from 'assentry/mcp';

const mcp = new McpServer({ name: '${server}', version: '1.0.0' });
const tools = assentry(mcp); // reads ASSENTRY_URL and ASSENTRY_API_KEY

tools.registerTool(
  'pay_invoice',
  { inputSchema: { amount: z.number(), payee: z.string() }, approval: true },
  ({ amount, payee }) => ({ content: [{ type: 'text', text: \`Paid \${amount} to \${payee}.\` }] }),
);

await mcp.connect(new StdioServerTransport());`;

const writeInspector = ({ url, key }: Connection): string => `npx @modelcontextprotocol/inspector \\
  -e ASSENTRY_URL=${url} \\
  -e ASSENTRY_API_KEY=${key} \\
  node ${snippetFiles.typescript}`;

const writeCurl = ({ url, key }: Connection): string => `curl ${url}/v1/elicitations \\
  -H 'authorization: Bearer ${key}' -H 'content-type: application/json' -d '{
    "tool": { "name": "pay_invoice", "title": "Pay an invoice" },
    "arguments": { "amount": 120, "payee": "Example Ltd" },
    "message": "Pay 120 EUR to Example Ltd?",
    "requester": { "subject": "alice@example.com" },
    "audience": "approvers"
  }'`;
