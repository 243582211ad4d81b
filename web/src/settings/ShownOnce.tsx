import { TextInput } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Notice } from '../ui/Notice.tsx';
import classes from './Users.module.css';

interface ShownOnceProps {
  title: string;
  note: string;
  label: string;
  value: string;
  children?: ReactNode;
}

/** A secret to copy, shown only while this page stays open. It takes the focus. */
export function ShownOnce({ title, note, label, value, children }: ShownOnceProps) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.focus(), [value]);
  return (
    <Notice ref={panel} tone="good" title={title}>
      <p>{note}</p>
      <div className={classes.link}>
        <TextInput aria-label={label} readOnly value={value} onFocus={(event) => event.currentTarget.select()} />
        <CopyButton text={value} />
      </div>
      {children}
    </Notice>
  );
}
