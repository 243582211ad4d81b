import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { simulatePolicy } from '../policies.ts';
import { useAnnounce } from '../../shell/use-hotkeys/announcer.tsx';
import { Notice, ProblemNotice } from '../../ui/Notice/Notice.tsx';
import page from '../../ui/Page.module.css';
import { Reason, ReasonedButton } from '../../ui/ReasonedButton/ReasonedButton.tsx';
import { CallFields } from './CallFields.tsx';
import { CallVerdicts } from './CallVerdicts.tsx';
import { faultsOf, requestOf, type CallDraft, type CallFaults } from './call-draft.ts';
import classes from '../Policies.module.css';
import { callTrial as words } from '../words/words.ts';

const empty: CallDraft = { text: '', server: '', tool: '', hint: 'none', requester: '' };

/** What would be decided of one call, now and with this text. It is no request, and nothing of it is stored. */
export function CallTrial({ document, isReady }: { document: string; isReady: boolean }) {
  const [draft, setDraft] = useState(empty);
  const [faults, setFaults] = useState<CallFaults>({});
  const announce = useAnnounce();
  const id = useId();
  const run = useMutation({
    mutationFn: (text: string) => simulatePolicy({ document: text, last: 0, fixtures: [requestOf(draft)] }),
    onSuccess: ({ requests: [call] }) => announce(call?.differs ? words.differs : words.same),
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
  const [call] = run.data?.requests ?? [];
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
      {call && run.variables !== document && <Notice tone="warn" title={words.outdated} />}
      {call && <CallVerdicts call={call} />}
    </section>
  );
}
