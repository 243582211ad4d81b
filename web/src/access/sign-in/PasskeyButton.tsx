import { Button } from '@mantine/core';
import { Problem } from '#platform/model/problem';
import { passkeySignInRoutes } from '#access/passkeys/contract/passkey-sign-in';
import { call } from '../../client/call.ts';
import { hasPasskeys, NotSigned, signWithPasskey } from '../passkeys/passkey.ts';
import { formatProblem, Notice } from '../../ui/Notice.tsx';
import { useEntrance } from './PasswordForm.tsx';
import { passkeys } from '../../ui/words/passkey-words.ts';
import { failures } from './words/sign-in/words.ts';

/** Signs in with a passkey of this device, without an address; nothing where a browser has none. */
export function PasskeyButton({ next, isFirst }: { next: string; isFirst: boolean }) {
  const enter = useEntrance(enterWithPasskey, next);
  if (!hasPasskeys()) return null;
  return (
    <>
      <Button
        variant={isFirst ? 'filled' : 'default'}
        size="md"
        loading={enter.isPending}
        onClick={() => enter.mutate(undefined)}
      >
        {passkeys.signIn}
      </Button>
      {enter.isError && (
        <div role="alert">
          <Notice tone="danger" title={explain(enter.error)} />
        </div>
      )}
    </>
  );
}

async function enterWithPasskey() {
  const request = await call(passkeySignInRoutes.beginPasskeySignIn);
  return call(passkeySignInRoutes.signInWithPasskey, { body: await signWithPasskey(request) });
}

function explain(error: unknown): string | undefined {
  if (error instanceof NotSigned) return passkeys.notSigned;
  return error instanceof Problem && error.code !== 'rate-limited' ? formatProblem(error) : failures['rate-limited'];
}
