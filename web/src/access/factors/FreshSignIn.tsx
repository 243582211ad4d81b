import { Button, PasswordInput, TextInput } from '@mantine/core';
import { isProblemOf } from '../../client/call-api.ts';
import { call } from '../../client/call.ts';
import { Notice, ProblemNotice } from '../../ui/Notice.tsx';
import { factor as codeWords } from '../../ui/words/factor-words.ts';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState, type Ref, useId, type SubmitEvent } from 'react';
import type { NamedProvider } from '#access/oidc/contract/sign-in-provider';
import { goToProvider } from '../sign-in/go-to-provider.ts';
import { passkeySignInRoutes } from '#access/passkeys/contract/passkey-sign-in';
import { confirmPassword } from '../sign-in/PasswordForm.tsx';
import { useAnnounce } from '../../shell/announcer.tsx';
import { carryTexts } from '../../ui/carried-text.ts';
import { useOwnProvider } from '../../people/users/use-user.ts';
import { hasPasskeys, NotSigned, signWithPasskey } from '../passkeys/passkey.ts';
import { fresh as words, passkeys } from '../../ui/words/passkey-words.ts';
import page from '../../ui/Page.module.css';
import { fieldFaults } from '../../ui/field-faults.ts';
import { secondFactorRoutes } from '#access/factors/contract/second-factor';
import { createPortal } from 'react-dom';

/** Proves a second factor by a code. */
export function CodeForm({ onDone }: { onDone: () => void }) {
  const { field, submit, isSending, problem, reset } = useCode({
    send: (code) => call(secondFactorRoutes.confirmByCode, { body: { code } }),
    done: codeWords.proven,
    onDone: () => onDone(),
  });
  const { id, form } = useProofForm(submit);
  return (
    <>
      {problem && <CodeProblem error={problem} onDone={reset} />}
      {form}
      <CodeField {...field} form={id} label={codeWords.code} note={codeWords.codeNote} />
      <Button type="submit" form={id} size="md" mt="sm" loading={isSending}>
        {codeWords.confirm}
      </Button>
    </>
  );
}

function CodeProblem({ error, onDone }: { error: unknown; onDone: () => void }) {
  if (!isProblemOf(error, 'rate-limited')) return <FreshSignInOrProblem error={error} onDone={onDone} />;
  return (
    <div role="alert">
      <Notice tone="danger" title={codeWords.wait} />
    </div>
  );
}

/** Loaded on demand: few policies need it. */
const VouchedSignIn = lazy(async () => ({ default: (await import('./VouchedSignIn.tsx')).VouchedSignIn }));

/**
 * Asks for a new proof of identity, by password, passkey or identity provider. It does nothing else: the person presses the
 * same button afterwards.
 */
export function FreshSignIn({ onDone, acr }: { onDone: () => void; acr?: string | undefined }) {
  const provider = useOwnProvider();
  if (acr !== undefined)
    return (
      <Suspense>
        <VouchedSignIn acr={acr} />
      </Suspense>
    );
  return provider === null ? (
    <ConfirmHere onDone={onDone} />
  ) : (
    <ConfirmAtProvider provider={provider} onDone={onDone} />
  );
}

/** Confirms at the identity provider of the sign-in, and returns to this page; or with a passkey, here. */
function ConfirmAtProvider({ provider: { key, name }, onDone }: { provider: NamedProvider; onDone: () => void }) {
  const go = useMutation({
    mutationFn: () => goToProvider({ key, way: 'confirm', returnTo: location.pathname + location.search }, carryTexts),
  });
  const confirm = usePasskeyConfirmation(onDone);
  const place = useFirstFocus();
  return (
    <div ref={place} role="alert">
      <Notice tone="warn" title={words.atProvider(name)}>
        <p>{words.atProviderNote}</p>
        {go.isError && isProblemOf(go.error, 'unavailable') && <p>{words.providerDown(name)}</p>}
        {go.isError && !isProblemOf(go.error, 'unavailable') && <ProblemNotice error={go.error} />}
        {confirm.isError && <SigningProblem error={confirm.error} />}
        <div className={page.actions}>
          <Button variant="default" loading={go.isPending} onClick={() => go.mutate()}>
            {words.goToProvider(name)}
          </Button>
          <PasskeyConfirmation confirm={confirm} />
        </div>
      </Notice>
    </div>
  );
}

function ConfirmHere({ onDone }: { onDone: () => void }) {
  const [password, setPassword] = useState('');
  const done = useDone(onDone);
  const byPassword = useMutation({ mutationFn: () => confirmPassword({ password }), onSuccess: done });
  const byPasskey = usePasskeyConfirmation(onDone);
  const { id, form } = useProofForm(() => {
    if (password !== '') byPassword.mutate();
  });
  const place = useFirstFocus();
  return (
    <div ref={place} role="alert">
      <Notice tone="warn" title={words.title}>
        <p>{words.note}</p>
        <>
          {form}
          {byPassword.isError && <ProblemNotice error={byPassword.error} />}
          {byPasskey.isError && <SigningProblem error={byPasskey.error} />}
          <PasswordInput
            form={id}
            label={words.password}
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            mb="xs"
          />
          <div className={page.actions}>
            <Button type="submit" form={id} variant="default" loading={byPassword.isPending}>
              {words.confirm}
            </Button>
            <PasskeyConfirmation confirm={byPasskey} />
          </div>
        </>
      </Notice>
    </div>
  );
}

/** Focuses the form, because the pressed button lost the focus while sending. */
function useFirstFocus() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector<HTMLElement>('input, button')?.focus(), []);
  return place;
}

function useDone(onDone: () => void): () => void {
  const announce = useAnnounce();
  return () => {
    announce(words.done);
    onDone();
  };
}

/** Confirms the person's identity with a passkey of this device. */
export async function confirmByPasskey(): Promise<void> {
  const request = await call(passkeySignInRoutes.beginPasskeyConfirmation);
  await call(passkeySignInRoutes.confirmByPasskey, { body: await signWithPasskey(request) });
}

export const usePasskeyConfirmation = (onDone: () => void) =>
  useMutation({
    mutationFn: confirmByPasskey,
    onSuccess: useDone(onDone),
  });

export const PasskeyConfirmation = ({ confirm }: { confirm: ReturnType<typeof usePasskeyConfirmation> }) =>
  hasPasskeys() && (
    <Button variant="default" loading={confirm.isPending} onClick={() => confirm.mutate()}>
      {words.byPasskey}
    </Button>
  );

/** Problem of an act; if only a proof of identity is missing, it can be given here. */
export function FreshSignInOrProblem({ error, onDone }: { error: unknown; onDone: () => void }) {
  return isProblemOf(error, 'fresh-sign-in-needed') ? (
    <FreshSignIn onDone={onDone} />
  ) : (
    <SigningProblem error={error} />
  );
}

/** Problem with a passkey, also on the device. */
export function SigningProblem({ error }: { error: unknown }) {
  if (!(error instanceof NotSigned)) return <ProblemNotice error={error} />;
  return (
    <div role="alert">
      <Notice tone="warn" title={passkeys.notSigned} />
    </div>
  );
}

interface CodeParts<T> {
  send(code: string): Promise<T>;
  /** Announcement after the code was accepted. */
  done: string;
  onDone(answer: T): void;
}

/** State of a form with one field for a code: its value, its fault and the sending. */
export function useCode<T>({ send, done, onDone }: CodeParts<T>) {
  const [code, setCode] = useState('');
  const [isTried, setIsTried] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const announce = useAnnounce();
  const sent = useMutation({
    mutationFn: () => send(code.trim()),
    onSuccess: (answer) => {
      announce(done);
      onDone(answer);
    },
    onError: () => input.current?.focus(),
  });
  const isWrong = 'code' in fieldFaults(sent.error);
  const submit = () => {
    setIsTried(true);
    if (code.trim() === '') return input.current?.focus();
    sent.mutate();
  };
  const error = (isWrong && codeWords.codeWrong) || (isTried && code.trim() === '' && codeWords.codeMissing);
  return {
    field: { ref: input, value: code, onChange: setCode, error },
    submit,
    isSending: sent.isPending,
    /** Problem other than a wrong code; null if none. */
    problem: sent.isError && !isWrong ? sent.error : null,
    reset: sent.reset,
  };
}

interface CodeFieldProps {
  ref: Ref<HTMLInputElement>;
  /** Id of its form, if not the surrounding one. */
  form?: string;
  label: string;
  note: string;
  value: string;
  onChange(value: string): void;
  error: string | false;
}

/** Takes a one-time code; phones offer it from the app. */
export const CodeField = ({ ref, form, label, note, value, onChange, error }: CodeFieldProps) => (
  <TextInput
    ref={ref}
    form={form}
    label={label}
    description={note}
    name="one-time-code"
    autoComplete="one-time-code"
    autoCapitalize="off"
    spellCheck={false}
    maxLength={40}
    size="md"
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
    error={error}
  />
);

/**
 * A form for fields inside another form: HTML nests no forms, so this one stands apart, and its fields and buttons name it by
 * `form`. It is sent alone.
 */
function useProofForm(submit: () => void) {
  const id = useId();
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    event.stopPropagation(); // React passes it on to the form around
    submit();
  };
  return { id, form: createPortal(<form id={id} onSubmit={onSubmit} noValidate />, document.body) };
}
