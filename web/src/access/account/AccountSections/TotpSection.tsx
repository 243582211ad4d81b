import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OwnTotp } from '#access/factors/contract/second-factor';
import { beginTotp, removeTotp, renewRecoveryCodes } from '../../factors/FreshSignIn/second-factor.ts';
import { FreshFactorsOrProblem } from '../../factors/FreshFactor.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Age } from '../../../ui/Moment.tsx';
import page from '../../../ui/Page.module.css';
import { allowed, ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import { RecoveryCodes } from '../../factors/TotpEnrolment/RecoveryCodes.tsx';
import { TotpEnrolment } from '../../factors/TotpEnrolment/TotpEnrolment.tsx';
import classes from '../Account.module.css';
import { AccountSection } from './AccountSection.tsx';
import { totpQuery, useAccountChange } from './account-queries.ts';
import { totp as words } from '../words/words/words.ts';

/** The authenticator app, and its recovery codes. */
export function TotpSection() {
  return (
    <AccountSection name="totp" id="totp" title={words.title} note={words.note}>
      <Loaded query={useQuery(totpQuery)}>{({ totp }) => <Own totp={totp} />}</Loaded>
    </AccountSection>
  );
}

function Own({ totp }: OwnTotp) {
  const [codes, setCodes] = useState<string[] | null>(null);
  const begin = useMutation({ mutationFn: beginTotp });
  const renew = useAccountChange(renewRecoveryCodes, words.renewed);
  const remove = useAccountChange(removeTotp, words.removed);
  const queries = useQueryClient();
  const failed = remove.error ?? renew.error ?? begin.error;
  const startAgain = () => {
    remove.reset();
    renew.reset();
    begin.reset();
  };
  if (codes !== null) return <RecoveryCodes codes={codes} onKept={() => setCodes(null)} />;
  if (totp === null && begin.data)
    return (
      <TotpEnrolment
        begun={begin.data}
        onAdded={(shown) => {
          begin.reset();
          setCodes(shown);
          void queries.invalidateQueries({ queryKey: ['account'] });
        }}
        onCancel={begin.reset}
      />
    );
  return (
    <>
      {failed !== null && <FreshFactorsOrProblem error={failed} onDone={startAgain} />}
      {totp === null ? (
        <div>
          <ReasonedButton {...allowed} isSending={begin.isPending} onPress={() => begin.mutate()}>
            {words.add}
          </ReasonedButton>
        </div>
      ) : (
        <>
          <p>
            {words.since} <Age at={totp.addedAt} />
            <span className={classes.second}>{words.left(totp.recoveryCodes)}</span>
          </p>
          <div className={page.actions}>
            <ReasonedButton
              {...allowed}
              isSending={renew.isPending}
              onPress={() => renew.mutate(undefined, { onSuccess: ({ recoveryCodes }) => setCodes(recoveryCodes) })}
            >
              {words.renew}
            </ReasonedButton>
            <ReasonedButton {...allowed} isQuiet isSending={remove.isPending} onPress={() => remove.mutate(undefined)}>
              {words.remove}
            </ReasonedButton>
          </div>
        </>
      )}
    </>
  );
}
