import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import type { Simulation } from '#policies/contract/documents';
import { policyRoutes } from '#policies/contract/routes';
import { call } from '../client/call.ts';
import { useAnnounce } from '../shell/announcer.tsx';
import { textFields } from '../ui/field-faults.ts';
import { Notice, ProblemNotice } from '../ui/Notice.tsx';
import page from '../ui/Page.module.css';
import { Reason, ReasonedButton } from '../ui/ReasonedButton.tsx';
import classes from './Policies.module.css';
import { simulator as words } from './words/words.ts';
import { Link } from 'react-router';
import { sentences } from '../language/sentences.ts';
import { DataTable, type Column } from '../ui/DataTable.tsx';
import { RowAge } from '../ui/use-now.tsx';
import { Revealed } from '../ui/Revealed.tsx';
import { risks } from '../ui/words/words.ts';

/** Null is the tool named in the text. */
const empty = { last: '100', tool: null as string | null, from: '', until: '' };

/** Period of the requests, from the start of the first day to the end of the last, in the time of this browser. */
const requestsOf = ({ last, from, until }: typeof empty, tool: string) => ({
  last: Number(last),
  ...(tool.trim() !== '' && { tool: tool.trim() }),
  ...(from !== '' && { from: new Date(`${from}T00:00`).getTime() }),
  ...(until !== '' && { until: new Date(`${until}T24:00`).getTime() }),
});

interface SimulatorProps {
  document: string;
  /** Tools named in the text. */
  tools: readonly string[];
  isReady: boolean;
  /** Set to run without a press. */
  isAtOnce?: boolean;
}

/** Effect of publishing this text on the latest real requests. Nothing is decided by it. */
export function Simulator({ document, tools, isReady, isAtOnce = false }: SimulatorProps) {
  const [draft, setDraft] = useState(empty);
  const change = (part: Partial<typeof empty>) => setDraft({ ...draft, ...part });
  const field = textFields(draft, change);
  const [named = '', ...others] = tools;
  const tool = draft.tool ?? (others.length > 0 || named.includes('*') ? '' : named);
  const announce = useAnnounce();
  const id = useId();
  const run = useMutation({
    mutationFn: (text: string) =>
      call(policyRoutes.simulatePolicy, { body: { document: text, ...requestsOf(draft, tool) } }),
    onSuccess: ({ totals }) => announce(words.summary(totals)),
  });
  useAtOnce(isAtOnce, () => run.mutate(document));
  const permission = { allowed: isReady, reason: isReady ? null : words.notReady };
  return (
    <section className={classes.section} aria-label={words.title}>
      <h2 className={page.subtitle}>{words.title}</h2>
      <p className={page.soft}>{words.lead}</p>
      <div className={classes.run}>
        <NativeSelect label={words.last} {...field('last')} data={['20', '100', '500', '1000']} />
        <TextInput
          label={words.tool}
          value={tool}
          onChange={(event) => change({ tool: event.currentTarget.value })}
          autoComplete="off"
        />
        <TextInput type="date" label={words.from} {...field('from')} />
        <TextInput type="date" label={words.until} {...field('until')} />
        <ReasonedButton
          permission={permission}
          reasonId={id}
          isQuiet
          isSending={run.isPending}
          onPress={() => run.mutate(document)}
        >
          {words.run}
        </ReasonedButton>
      </div>
      <Reason id={id} permission={permission} className={page.small} />
      {run.isError && <ProblemNotice error={run.error} />}
      {run.isSuccess && run.variables !== document && <Notice tone="warn" title={words.outdated} />}
      {run.isSuccess && <Result simulation={run.data} />}
    </section>
  );
}

function useAtOnce(isWanted: boolean, act: () => void): void {
  const first = useEffectEvent(() => isWanted && act());
  useEffect(() => void first(), []);
}

function Result({ simulation: { totals, requests } }: { simulation: Simulation }) {
  const [isAll, setIsAll] = useState(false);
  const different = requests.filter(({ differs }) => differs);
  const shown = isAll ? requests : different;
  return (
    <>
      <p className={classes.total}>{words.summary(totals)}</p>
      {totals.skipped > 0 && <p className={page.small}>{words.skipped(totals.skipped)}</p>}
      {totals.withheld > 0 && <p className={page.small}>{words.withheld(totals.withheld)}</p>}
      {shown.length > 0 && <SimulationTable requests={shown} />}
      {requests.length > different.length && (
        <div>
          <Button variant="default" aria-pressed={isAll} onClick={() => setIsAll(!isAll)}>
            {isAll ? words.onlyDifferent : words.showAll(requests.length)}
          </Button>
        </div>
      )}
    </>
  );
}

/** Requests of one tool with the same result, now and with the text. */
interface RequestGroup {
  key: string;
  /** The latest request of the group. */
  first: Request;
  count: number;
  /** Number of each ending; null for open ones. */
  endings: [Request['ended'], number][];
}

/** The groups in the order of their latest requests. */
export function groupRequests(requests: readonly Request[]): RequestGroup[] {
  const groups = new Map<string, RequestGroup & { ended: Map<Request['ended'], number> }>();
  for (const request of requests) {
    const { server, tool, live, draft, changes } = request;
    const key = JSON.stringify([server, tool, live, draft, changes]);
    const group = groups.get(key) ?? { key, first: request, count: 0, endings: [], ended: new Map() };
    group.count += 1;
    group.ended.set(request.ended, (group.ended.get(request.ended) ?? 0) + 1);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ ended, ...group }) => ({ ...group, endings: [...ended] }));
}

type Request = Simulation['requests'][number];

/** One row for each group of equal results. */
const SimulationTable = ({ requests }: { requests: Request[] }) => (
  <DataTable caption={words.table} columns={columns} rows={groupRequests(requests)} keyOf={({ key }) => key} />
);

const columns: Column<RequestGroup>[] = [
  {
    head: words.request,
    isName: true,
    cell: ({ count, first: { elicitation, tool, server, at } }) => (
      <>
        {elicitation === null ? (
          <Revealed text={tool} />
        ) : (
          <Link to={`/requests/${elicitation}`} target="_blank" rel="noopener">
            <Revealed text={tool} />
          </Link>
        )}
        <span className={classes.second}>
          <Revealed text={server} />
        </span>
        <span className={classes.second}>
          {words.alike(count)} {at !== null && <RowAge at={at} />}
        </span>
      </>
    ),
  },
  { head: words.now, cell: ({ first }) => <Verdict request={first} side="live" /> },
  {
    head: words.withDraft,
    cell: ({ first }) => (
      <div data-differs={first.differs} className={classes.then}>
        <Verdict request={first} side="draft" />
      </div>
    ),
  },
  {
    head: words.ended,
    cell: ({ endings }) => (
      <ul>
        {endings.map(([ended, count]) => (
          <li key={ended}>{words.endedSo(ended, count)}</li>
        ))}
      </ul>
    ),
  },
];

/** The decision, and the demands of this side alone where both decide alike. */
function Verdict({ request: { live, draft, changes }, side }: { request: Request; side: 'live' | 'draft' }) {
  const { outcome, policy, rule, stages, reason, risk } = { live, draft }[side];
  const details = [
    ...(live.risk === draft.risk ? [] : [risks[risk]]),
    ...(live.outcome === draft.outcome ? changes[side].map(sentences.clause) : []),
    ...(reason === null ? [] : [reason]),
    words.by(policy, rule),
  ];
  return (
    <div>
      {outcome === 'require' ? words.requires(stages) : words.outcomes[outcome]}
      {details.map((text) => (
        <span key={text} className={classes.second}>
          <Revealed text={text} />
        </span>
      ))}
    </div>
  );
}
