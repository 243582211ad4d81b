import { Button, NativeSelect } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import type { AlwaysChoices } from '#policies/contract/documents';
import { allowAlways, readAlways } from '../../inbox/elicitations.ts';
import { simulatePolicy } from '../../../policies/policies.ts';
import { useAnnounce } from '../../../shell/use-hotkeys/announcer.tsx';
import { sentences } from '../../../language/sentences.ts';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import { RowAge } from '../../../ui/use-now/RowMoment.tsx';
import page from '../../../ui/Page.module.css';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import { always as words } from '../words/later-words/later-words.ts';
import classes from '../Always.module.css';

type Choice = AlwaysChoices['choices'][number];

const daysToChoose = [1, 7, 30, 90];
const defaultDays = 30;

/** Chooses what the rule is limited to and for how long, shows what it would have let run, and makes it. */
export function AlwaysForm({ detail, onClose }: { detail: ElicitationDetail; onClose: () => void }) {
  const { id } = detail;
  const [chosen, setChosen] = useState<string | null>(null);
  const [days, setDays] = useState(defaultDays);
  const announce = useAnnounce();
  const { data, error } = useQuery({
    queryKey: ['always', id, days],
    queryFn: ({ signal }) => readAlways(id, days, signal),
    staleTime: Infinity,
  });
  const allow = useMutation({
    mutationFn: ({ policy }: Choice) => allowAlways(id, { policy, days }),
    onSuccess: ({ isPublished }) => announce(isPublished ? words.holds : words.waits),
  });
  if (error !== null) return <ProblemNotice error={error} />;
  if (allow.data) return <Done policy={allow.data} />;
  const choices = data?.choices ?? [];
  const choice = choices.find(({ policy }) => policy === chosen) ?? choices[0];
  if (data && !choice) return <p>{words.none}</p>;
  return (
    <div className={classes.form}>
      <div className={classes.choices}>
        <NativeSelect
          label={words.limit}
          value={choice?.policy ?? ''}
          data={choices.map((each) => ({ value: each.policy, label: labelOf(each, detail.tool.name) }))}
          onChange={({ currentTarget: { value } }) => setChosen(value)}
        />
        <NativeSelect
          label={words.days}
          value={String(days)}
          data={daysToChoose.map((count) => ({ value: String(count), label: words.daysOf(count) }))}
          onChange={({ currentTarget: { value } }) => setDays(Number(value))}
        />
      </div>
      {choice && <Freed choice={choice} detail={detail} />}
      {choice && <Document text={choice.document} />}
      {choice?.kind === 'command' && <p>{words.commandRuns}</p>}
      {allow.isError && <ProblemNotice error={allow.error} />}
      <p className={page.small}>{words.consequence}</p>
      <div className={classes.actions}>
        <Button
          disabled={!choice}
          loading={allow.isPending}
          onClick={() => {
            if (choice) allow.mutate(choice);
          }}
        >
          {words.publish}
        </Button>
        <Button variant="subtle" color="gray" onClick={onClose}>
          {words.close}
        </Button>
      </div>
    </div>
  );
}

const labelOf = (choice: Choice, tool: string): string =>
  words.limits(
    choice,
    choice.tools.filter((other) => other !== tool),
  );

const last = 100;
const maxListed = 5;

/** Which earlier calls of this tool it would have let run. */
function Freed({ choice, detail: { server, tool } }: { choice: Choice; detail: ElicitationDetail }) {
  const { data, error } = useQuery({
    queryKey: ['always-simulated', choice.document],
    queryFn: () => simulatePolicy({ document: choice.document, last, tool: tool.name }),
    staleTime: Infinity,
  });
  if (error !== null) return <ProblemNotice error={error} />;
  const calls = (data?.requests ?? []).filter((call) => call.server === server);
  const freed = calls.filter(({ live, draft }) => draft.outcome === 'allow' && live.outcome !== 'allow');
  return (
    <div aria-live="polite">
      {data && <p>{words.freed(freed.length, calls.length)}</p>}
      {freed.length > 0 && (
        <ul className={classes.freed}>
          {freed.slice(0, maxListed).map(({ elicitation, tool: name, at }) => (
            <li key={elicitation}>
              <Link to={`/requests/${elicitation}`} target="_blank" rel="noopener">
                <Revealed text={name} />
              </Link>{' '}
              {at !== null && <RowAge at={at} />}
            </li>
          ))}
          {freed.length > maxListed && <li>{words.more(freed.length - maxListed)}</li>}
        </ul>
      )}
    </div>
  );
}

function Document({ text }: { text: string }) {
  const id = useId();
  return (
    <div>
      <h3 id={id} className={page.small}>
        {words.document}
      </h3>
      <pre className={classes.document} aria-labelledby={id} tabIndex={0}>
        <Revealed text={text.trimEnd()} />
      </pre>
    </div>
  );
}

function Done({ policy }: { policy: Awaited<ReturnType<typeof allowAlways>> }) {
  const allowed = policy.terms.find(({ kind }) => kind === 'allowed');
  return (
    <div className={classes.form} role="status">
      <p>
        {policy.isPublished ? words.holds : words.waits} {allowed && sentences.clause(allowed)}
      </p>
      <div>
        <Link to={`/policies/${policy.name}?version=${policy.version}`} className={page.action}>
          {words.show(policy.name)}
        </Link>
      </div>
    </div>
  );
}
