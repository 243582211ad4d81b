import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { UnfinishedSignIn } from '#requests/inbox/contract/inbox';
import { beginPasskeyConfirmation, confirmByPasskey } from '../../passkeys/passkeys.ts';
import { hasPasskeys, signWithPasskey } from '../../passkeys/passkey.ts';
import { SigningProblem } from '../FreshSignIn/FreshSignIn.tsx';
import page from '../../../ui/Page.module.css';
import { CodeForm } from '../FreshSignIn/CodeForm.tsx';
import { words } from '../words/words.ts';

/** Proves a factor that the person has: by passkey, by a code of their app, or by a recovery code. */
export function ProveFactor({ unfinished, onDone }: { unfinished: UnfinishedSignIn; onDone: () => void }) {
  const confirm = useMutation({
    mutationFn: async () => confirmByPasskey(await signWithPasskey(await beginPasskeyConfirmation())),
    onSuccess: onDone,
  });
  const isByPasskey = unfinished.hasPasskey && hasPasskeys();
  return (
    <>
      <p>{words.prove}</p>
      {isByPasskey && (
        <div className={page.form}>
          {confirm.isError && <SigningProblem error={confirm.error} />}
          <Button size="md" loading={confirm.isPending} onClick={() => confirm.mutate()}>
            {words.byPasskey}
          </Button>
        </div>
      )}
      {isByPasskey && unfinished.hasTotp && <p>{words.or}</p>}
      {unfinished.hasTotp && <CodeForm onDone={onDone} />}
      <p className={page.small}>{words.lost}</p>
    </>
  );
}
