import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { PolicyCheck, PolicyFault } from '#policies/contract/documents';
import { Cross, Tick } from '../../ui/icons.tsx';
import { Notice } from '../../ui/Notice/Notice.tsx';
import { Revealed } from '../../ui/Revealed/Revealed.tsx';
import classes from '../Policies.module.css';
import { Sentences } from '../policy-queries/Sentences.tsx';
import { check as words } from '../words/words.ts';

interface CheckResultProps {
  check: UseQueryResult<PolicyCheck>;
  isChecked: boolean;
  onGoTo: (fault: PolicyFault) => void;
}

/** What the text says in plain words, or what is wrong with it and where. It is said again once it has changed. */
export function CheckResult({ check: { data, isError }, isChecked, onGoTo }: CheckResultProps) {
  if (isError) return <Notice tone="warn" title={words.unchecked} />;
  return (
    <div aria-live="polite" className={classes.check} data-stale={!isChecked}>
      {data === undefined ? (
        <p>{words.checking}</p>
      ) : data.ok ? (
        <Says check={data} />
      ) : (
        <Faults errors={data.errors} onGoTo={onGoTo} />
      )}
    </div>
  );
}

const Says = ({ check: { terms, unsatisfiable, warnings } }: { check: PolicyCheck }) => (
  <>
    <p className={classes.good}>
      <Tick /> {words.title}
    </p>
    <Sentences terms={terms} />
    {unsatisfiable !== null && (
      <Notice tone="warn" title={words.unsatisfiable}>
        <Revealed text={unsatisfiable} />
      </Notice>
    )}
    {warnings.map((warning) => (
      <Notice key={warning} tone="warn" title={words.warning}>
        <Revealed text={warning} />
      </Notice>
    ))}
  </>
);

const Faults = ({ errors, onGoTo }: { errors: PolicyFault[]; onGoTo: CheckResultProps['onGoTo'] }) => (
  <>
    <p className={classes.bad}>
      <Cross /> {words.faults(errors.length)}
    </p>
    <ul className={classes.faults}>
      {errors.map((fault) => (
        <li key={`${fault.line} ${fault.column} ${fault.message}`}>
          <Button variant="subtle" size="compact-sm" onClick={() => onGoTo(fault)}>
            {words.place(fault.line, fault.column)}
          </Button>{' '}
          {fault.path.length > 0 && <code className={classes.path}>{fault.path.join('.')}</code>}{' '}
          <Revealed text={fault.message} />
        </li>
      ))}
    </ul>
  </>
);
