import type { Simulation } from '#policies/contract/documents';
import { sentences } from '../../language/sentences.ts';
import { Revealed } from '../../ui/Revealed/Revealed.tsx';
import page from '../../ui/Page.module.css';
import classes from '../Policies.module.css';
import { simulator, callTrial as words } from '../words/words.ts';

type Call = Simulation['requests'][number];

/** The verdict of now and the one with the text, each with why, and with who would be asked. */
export const CallVerdicts = ({ call }: { call: Call }) => (
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
