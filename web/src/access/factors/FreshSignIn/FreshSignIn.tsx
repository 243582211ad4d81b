import { Button, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { NamedProvider } from '#access/oidc/contract/sign-in-provider';
import { isProblemOf } from '../../../client/call-api/api-problem.ts';
import { goToProvider } from '../../sign-in/go-to-provider.ts';
import { beginPasskeyConfirmation, confirmByPasskey } from '../../passkeys/passkeys.ts';
import { confirmPassword } from '../../sign-in/PasswordForm/session.ts';
import { useAnnounce } from '../../../shell/use-hotkeys/announcer.tsx';
import { carryTexts } from '../../../ui/carried-text.ts';
import { useOwnProvider } from '../../../people/users/use-user.ts';
import { hasPasskeys, NotSigned, signWithPasskey } from '../../passkeys/passkey.ts';
import { Notice, ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import { useProofForm } from './use-proof-form.tsx';
import { fresh as words, passkeys } from '../../../ui/words/passkey-words.ts';
import page from '../../../ui/Page.module.css';

/** Few policies need it. */
const VouchedSignIn = lazy(async () => ({ default: (await import('../VouchedSignIn.tsx')).VouchedSignIn }));

/**
 * Asks again who this is, by password, passkey or identity provider. Proving it does nothing else: the person presses the
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

/** At the identity provider where they signed in, and back to this page; or with a passkey, here. */
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

/** The button that was pressed has lost the focus while it was sending. */
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

export const usePasskeyConfirmation = (onDone: () => void) =>
  useMutation({
    mutationFn: async () => confirmByPasskey(await signWithPasskey(await beginPasskeyConfirmation())),
    onSuccess: useDone(onDone),
  });

export const PasskeyConfirmation = ({ confirm }: { confirm: ReturnType<typeof usePasskeyConfirmation> }) =>
  hasPasskeys() && (
    <Button variant="default" loading={confirm.isPending} onClick={() => confirm.mutate()}>
      {words.byPasskey}
    </Button>
  );

/** Why something was not done; a proof of who this is can be given here if that is all it needs. */
export function FreshSignInOrProblem({ error, onDone }: { error: unknown; onDone: () => void }) {
  return isProblemOf(error, 'fresh-sign-in-needed') ? (
    <FreshSignIn onDone={onDone} />
  ) : (
    <SigningProblem error={error} />
  );
}

/** What went wrong with a passkey, also on the device. */
export function SigningProblem({ error }: { error: unknown }) {
  if (!(error instanceof NotSigned)) return <ProblemNotice error={error} />;
  return (
    <div role="alert">
      <Notice tone="warn" title={passkeys.notSigned} />
    </div>
  );
}
