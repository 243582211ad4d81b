import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import page from '../../../ui/Page.module.css';
import { factor as words } from '../../../ui/words/factor-words.ts';
import classes from '../SecondFactor.module.css';

/** Recovery codes, shown once. The heading takes the focus, since what was pressed is gone. */
export function RecoveryCodes({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className={page.form}>
      <h2 ref={heading} tabIndex={-1} className={page.subtitle}>
        {words.codesTitle}
      </h2>
      <p>{words.codesNote}</p>
      <ul className={classes.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={page.actions}>
        <CopyButton text={codes.join('\n')} />
        <Button onClick={onKept}>{words.codesKept}</Button>
      </div>
    </section>
  );
}
