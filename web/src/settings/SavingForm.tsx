import type { ReactNode, SubmitEvent } from 'react';
import { fieldFaults } from '../ui/field-faults.ts';
import { ProblemNotice } from '../ui/Notice.tsx';
import page from '../ui/Page.module.css';
import classes from './Users.module.css';

interface SavingFormProps {
  title?: string;
  /** Of the last attempt; its fields say their part of it themselves. */
  error: unknown;
  onPress: () => void;
  children: ReactNode;
}

/** A form below what it adds to. */
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
