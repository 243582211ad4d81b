import { useMutation } from '@tanstack/react-query';
import { useId, useState, type ReactNode } from 'react';
import { policyRoutes } from '#policies/contract/routes';
import { call } from '../client/call.ts';
import { useAnnounce } from '../shell/announcer.tsx';
import { Notice, ProblemNotice } from '../ui/Notice.tsx';
import page from '../ui/Page.module.css';
import { Reason, ReasonedButton } from '../ui/ReasonedButton.tsx';
import classes from './Policies.module.css';
import { callTrial as words, choicesOf, simulator } from './words/words.ts';
import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { readPastedCall, type PasteFault } from '#requests/facts/contract/confirmation';
import type { Simulation, PolicyFixture } from '#policies/contract/documents';
import { sentences } from '../language/sentences.ts';
import { Revealed } from '../ui/Revealed.tsx';

const empty: CallDraft = { text: '', server: '', tool: '', hint: 'none', requester: '' };

/** Verdict on one call, now and with this text. It is no request, and nothing of it is stored. */
export function CallTrial({ document, isReady }: { document: string; isReady: boolean }) {
  const [draft, setDraft] = useState(empty);
  const [faults, setFaults] = useState<CallFaults>({});
  const announce = useAnnounce();
  const id = useId();
  const run = useMutation({
    mutationFn: (text: string) =>
      call(policyRoutes.simulatePolicy, { body: { document: text, last: 0, fixtures: [requestOf(draft)] } }),
    onSuccess: ({ requests: [tried] }) => announce(tried?.differs ? words.differs : words.same),
  });
  const change = (part: Partial<CallDraft>) => {
    setDraft({ ...draft, ...part });
    run.reset();
  };
  const send = () => {
    const mistakes = faultsOf(draft);
    setFaults(mistakes);
    if (Object.keys(mistakes).length === 0) run.mutate(document);
  };
  const permission = { allowed: isReady, reason: isReady ? null : words.notReady };
  const [tried] = run.data?.requests ?? [];
  return (
    <section className={classes.section} aria-label={words.title}>
      <h2 className={page.subtitle}>{words.title}</h2>
      <p className={page.soft}>{words.lead}</p>
      <CallFields draft={draft} faults={faults} onChange={change}>
        <ReasonedButton permission={permission} reasonId={id} isQuiet isSending={run.isPending} onPress={send}>
          {words.run}
        </ReasonedButton>
      </CallFields>
      <Reason id={id} permission={permission} className={page.small} />
      {run.isError && <ProblemNotice error={run.error} />}
      {tried && run.variables !== document && <Notice tone="warn" title={words.outdated} />}
      {tried && <CallVerdicts call={tried} />}
    </section>
  );
}

interface CallFieldsProps {
  draft: CallDraft;
  faults: CallFaults;
  onChange: (part: Partial<CallDraft>) => void;
  /** The button that runs the trial. */
  children: ReactNode;
}

/** Fields of a call. The tool is asked for only if the text does not name it. */
function CallFields({ draft, faults, onChange, children }: CallFieldsProps) {
  const call = readPastedCall(draft.text);
  const field = (name: 'server' | 'tool' | 'requester') => (
    <TextInput
      label={words[name]}
      value={draft[name]}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
      error={name !== 'requester' && faults[name] && words.faults[faults[name]]}
      autoComplete="off"
    />
  );
  return (
    <>
      <Textarea
        label={words.text}
        description={words.textNote}
        value={draft.text}
        onChange={(event) => onChange({ text: event.currentTarget.value })}
        error={faults.text && words.faults[faults.text]}
        rows={6}
        spellCheck={false}
        classNames={{ input: classes.name ?? '' }}
      />
      <div className={classes.run}>
        {field('server')}
        {(typeof call === 'string' || call.tool === null) && field('tool')}
        <NativeSelect
          label={words.hint}
          value={draft.hint}
          data={choicesOf(words.hints)}
          onChange={({ currentTarget: { value } }) => isHint(value) && onChange({ hint: value })}
        />
        {field('requester')}
        {children}
      </div>
    </>
  );
}

type Call = Simulation['requests'][number];

/** The verdict of now and the one with the text, each with its reasons and approvers. */
const CallVerdicts = ({ call }: { call: Call }) => (
  <>
    <p className={classes.total}>{call.differs ? words.differs : words.same}</p>
    {call.aside !== null && (
      <p>
        <Revealed text={words.aside(call.aside)} />
      </p>
    )}
    <div className={classes.verdicts}>
      <CallVerdict call={call} side="live" title={simulator.now} />
      <CallVerdict call={call} side="draft" title={simulator.withDraft} />
    </div>
  </>
);

function CallVerdict({ call, side, title }: { call: Call; side: 'live' | 'draft'; title: string }) {
  const { outcome, policy, rule, stages, reason } = call[side];
  const explained = call.explained?.[side];
  return (
    <section aria-label={title}>
      <h3 className={page.small}>{title}</h3>
      <p className={classes.total}>
        {outcome === 'require' ? simulator.requires(stages) : simulator.outcomes[outcome]}
      </p>
      {reason !== null && (
        <p>
          <Revealed text={reason} />
        </p>
      )}
      <ul className={classes.sentences}>
        {explained?.terms.map((term, at) => (
          <li key={at}>
            <Revealed text={sentences.clause(term)} />
          </li>
        ))}
        {explained?.stages.map(({ name, people }, at) => (
          <li key={`${at} ${name}`}>
            <Revealed text={words.asks(name, people)} />
          </li>
        ))}
      </ul>
      <p className={page.small}>{simulator.by(policy, rule)}</p>
    </section>
  );
}

/** Hints of the tool, as MCP's annotations. */
const annotationsOf = {
  none: {},
  reads: { readOnlyHint: true },
  adds: { readOnlyHint: false, destructiveHint: false },
  destroys: { readOnlyHint: false, destructiveHint: true },
} as const;

const isHint = (text: string): text is CallDraft['hint'] => Object.hasOwn(annotationsOf, text);

interface CallDraft {
  text: string;
  server: string;
  /** Tool, if the text does not name it. */
  tool: string;
  hint: keyof typeof annotationsOf;
  requester: string;
}

type CallFault = PasteFault | 'server' | 'tool';
type CallFaults = Partial<Record<'text' | 'server' | 'tool', CallFault>>;

/** Faults to correct before the trial. */
export function faultsOf({ text, server, tool }: CallDraft): CallFaults {
  const call = readPastedCall(text);
  if (typeof call === 'string') return { text: call };
  return {
    ...(server.trim() === '' && { server: 'server' as const }),
    ...(call.tool === null && tool.trim() === '' && { tool: 'tool' as const }),
  };
}

/** The request of such a call. A named person counts as verified. */
export function requestOf({ text, server, tool, hint, requester }: CallDraft): PolicyFixture {
  const call = readPastedCall(text);
  const { tool: name, arguments: values } = typeof call === 'string' ? { tool: null, arguments: {} } : call;
  const subject = requester.trim();
  return {
    name: 'call',
    server: server.trim(),
    tool: name ?? tool.trim(),
    arguments: values,
    annotations: annotationsOf[hint],
    ...(subject !== '' && { requester: { subject, verified: true } }),
  };
}
