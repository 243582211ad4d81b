import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useRef, useState, type SubmitEvent } from 'react';
import type { BegunTotp } from '../../../../src/contract/users/second-factor.ts';
import { addTotp } from '../../api/second-factor.ts';
import { useAnnounce } from '../../lib/announcer.tsx';
import { fieldFaults } from '../../lib/field-faults.ts';
import { CopyButton } from '../CopyButton.tsx';
import { FreshSignInOrProblem } from '../FreshSignIn.tsx';
import page from '../page/Page.module.css';
import { factor as words } from '../words/factor-words.ts';
import { CodeField } from './CodeField.tsx';
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
  const [code, setCode] = useState('');
  const [isTried, setIsTried] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const announce = useAnnounce();
  const add = useMutation({
    mutationFn: () => addTotp({ enrolment, code: code.trim() }),
    onSuccess: ({ recoveryCodes }) => {
      announce(words.added);
      onAdded(recoveryCodes);
    },
    onError: () => input.current?.focus(),
  });
  const isWrong = 'code' in fieldFaults(add.error);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (code.trim() === '') return input.current?.focus();
    add.mutate();
  };
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
      {add.isError && !isWrong && <FreshSignInOrProblem error={add.error} onDone={add.reset} />}
      <form onSubmit={submit} className={page.form} noValidate>
        <CodeField
          ref={input}
          label={words.first}
          note={words.firstNote}
          value={code}
          onChange={setCode}
          error={(isWrong && words.codeWrong) || (isTried && code.trim() === '' && words.codeMissing)}
        />
        <div className={page.actions}>
          <Button type="submit" loading={add.isPending}>
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
