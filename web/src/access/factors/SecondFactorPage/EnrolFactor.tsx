import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { UnfinishedSignIn } from '#requests/inbox/contract/inbox';
import { addPasskey, beginPasskey } from '../../passkeys/passkeys.ts';
import { beginTotp } from '../FreshSignIn/second-factor.ts';
import { useAnnounce } from '../../../shell/use-hotkeys/announcer.tsx';
import { hasPasskeys, makePasskey } from '../../passkeys/passkey.ts';
import { deviceName } from '../../../ui/device-name.ts';
import { FreshSignInOrProblem } from '../FreshSignIn/FreshSignIn.tsx';
import page from '../../../ui/Page.module.css';
import { TotpEnrolment } from '../TotpEnrolment/TotpEnrolment.tsx';
import { words } from '../words/words.ts';

interface EnrolFactorProps {
  unfinished: UnfinishedSignIn;
  /** There is a passkey, which is still to be proven. */
  onPasskey(): void;
  /** There is an app, which is proven; with its recovery codes. */
  onCodes(codes: string[]): void;
}

/** Adds the first second factor: a passkey where browsers can make one, or an authenticator app. */
export function EnrolFactor({ unfinished, onPasskey, onCodes }: EnrolFactorProps) {
  const announce = useAnnounce();
  const begin = useMutation({ mutationFn: beginTotp });
  const add = useMutation({
    mutationFn: async () =>
      addPasskey({ name: deviceName(navigator.userAgent), ...(await makePasskey(await beginPasskey())) }),
    onSuccess: () => {
      announce(words.passkeyAdded);
      onPasskey();
    },
  });
  if (begin.data) return <TotpEnrolment begun={begin.data} onAdded={onCodes} onCancel={begin.reset} />;
  const failed = add.error ?? begin.error;
  const startAgain = () => {
    add.reset();
    begin.reset();
  };
  return (
    <>
      <p>{words.enrol}</p>
      {failed !== null && <FreshSignInOrProblem error={failed} onDone={startAgain} />}
      {unfinished.mayAddPasskey && hasPasskeys() && (
        <section className={page.form}>
          <h2 className={page.subtitle}>{words.passkey}</h2>
          <p>{words.passkeyNote}</p>
          <Button size="md" loading={add.isPending} onClick={() => add.mutate()}>
            {words.addPasskey}
          </Button>
        </section>
      )}
      <section className={page.form}>
        <h2 className={page.subtitle}>{words.app}</h2>
        <p>{words.appNote}</p>
        <Button size="md" variant="default" loading={begin.isPending} onClick={() => begin.mutate()}>
          {words.addApp}
        </Button>
      </section>
    </>
  );
}
