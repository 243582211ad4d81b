import { Button } from '@mantine/core';
import { Problem } from '../../../../src/model/problem.ts';
import { hasPasskeys, NotSigned, signWithPasskey } from '../../lib/passkey.ts';
import { sayProblem } from '../../lib/say-problem.ts';
import { useEntrance } from '../../lib/session/use-entrance.ts';
import { Notice } from '../../ui/Notice.tsx';
import { failures, words } from './words.ts';

/** Signs in with a passkey of this device, without an address; nothing where a browser has none. */
export function PasskeyButton({ next }: { next: string }) {
  const enter = useEntrance(enterWithPasskey, next);
  if (!hasPasskeys()) return null;
  return (
    <>
      <Button variant="default" size="md" loading={enter.isPending} onClick={() => enter.mutate(undefined)}>
        {words.passkey}
      </Button>
      {enter.isError && (
        <div role="alert">
          <Notice tone="danger" title={explain(enter.error)} />
        </div>
      )}
    </>
  );
}

/** What is sent and answered loads with the first use. */
async function enterWithPasskey() {
  const { beginPasskeySignIn, signInWithPasskey } = await import('../../api/passkeys.ts');
  return signInWithPasskey(await signWithPasskey(await beginPasskeySignIn()));
}

function explain(error: unknown): string | undefined {
  if (error instanceof NotSigned) return words.notSigned;
  return error instanceof Problem && error.code !== 'rate-limited' ? sayProblem(error) : failures['rate-limited'];
}
