import type { ReactNode, SubmitEvent } from 'react';
import { fieldFaults } from '../ui/field-faults.ts';
import { ProblemNotice } from '../ui/Notice.tsx';
import page from '../ui/Page.module.css';
import classes from './Users.module.css';

interface SavingFormProps {
  title?: string;
  /** Error of the last attempt; fields show their own part. */
  error: unknown;
  onPress: () => void;
  children: ReactNode;
}

/** A form below its list. */
export function SavingForm({ title, error, onPress, children }: SavingFormProps) {
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    onPress();
  };
  return (
    <form onSubmit={onSubmit} className={`${page.form} ${classes.below}`} noValidate>
      {title !== undefined && <h2 className={page.subtitle}>{title}</h2>}
      {error !== null && Object.keys(fieldFaults(error)).length === 0 && <ProblemNotice error={error} />}
      {children}
    </form>
  );
}
