import { Button } from '@mantine/core';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { secondFactorRoutes, type BegunTotp } from '#access/factors/contract/second-factor';
import { FreshSignInOrProblem, CodeField, useCode } from './FreshSignIn.tsx';
import { call } from '../../client/call.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import page from '../../ui/Page.module.css';
import { factor as words } from '../../ui/words/factor-words.ts';
import classes from './SecondFactor.module.css';

/** Loaded with the first code: most visits draw none. */
const QrCode = lazy(async () => ({ default: (await import('./QrCode.tsx')).QrCode }));

interface TotpEnrolmentProps {
  begun: BegunTotp;
  onAdded(recoveryCodes: string[]): void;
  onCancel(): void;
}

/** Shows the secret of a new authenticator app, and takes the code that proves that the app has it. */
export function TotpEnrolment({ begun: { secret, uri, enrolment }, onAdded, onCancel }: TotpEnrolmentProps) {
  const { field, submit, isSending, problem, reset } = useCode({
    send: (code) => call(secondFactorRoutes.addTotp, { body: { enrolment, code } }),
    done: words.added,
    onDone: ({ recoveryCodes }) => onAdded(recoveryCodes),
  });
  return (
    <div className={page.form}>
      <p>{words.scan}</p>
      <Suspense fallback={<div className={classes.qr} />}>
        <QrCode text={uri} name={words.picture} />
      </Suspense>
      <p>{words.type}</p>
      <div className={classes.key}>
        <code>{secret.match(/.{1,4}/g)?.join(' ')}</code>
        <CopyButton text={secret} />
      </div>
      {problem && <FreshSignInOrProblem error={problem} onDone={reset} />}
      <form
        className={page.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <CodeField {...field} label={words.first} note={words.firstNote} />
        <div className={page.actions}>
          <Button type="submit" loading={isSending}>
            {words.add}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {words.cancel}
          </Button>
        </div>
      </form>
    </div>
  );
}

/** Recovery codes, shown once. The heading takes the focus, since the pressed button has gone. */
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
