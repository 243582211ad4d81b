import { TextInput } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useEffect, useRef, type ReactNode } from 'react';
import { useAnnounce } from '../../lib/announcer.tsx';
import { Notice } from '../../ui/Notice.tsx';
import page from '../../ui/page/Page.module.css';
import classes from './Users.module.css';
import { once as words } from './words/words.ts';

interface ShownOnceProps {
  title: string;
  note: string;
  label: string;
  value: string;
  children?: ReactNode;
}

/** A secret to copy, while this page stays open and never again. It takes the focus. */
export function ShownOnce({ title, note, label, value, children }: ShownOnceProps) {
  const { copy, copied, error } = useClipboard();
  const announce = useAnnounce();
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.focus(), [value]);
  useEffect(() => {
    if (copied) announce(words.copied);
  }, [copied, announce]);
  return (
    <Notice ref={panel} tone="good" title={title}>
      <p>{note}</p>
      <div className={classes.link}>
        <TextInput aria-label={label} readOnly value={value} onFocus={(event) => event.currentTarget.select()} />
        <button type="button" className={page.action} onClick={() => copy(value)}>
          {copied ? words.copied : words.copy}
        </button>
      </div>
      {error !== null && <p role="alert">{words.copyFailed}</p>}
      {children}
    </Notice>
  );
}
