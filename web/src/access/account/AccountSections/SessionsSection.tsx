import { useQuery } from '@tanstack/react-query';
import type { OwnSession } from '#access/sign-in/contract/account';
import { endOtherSessions, endSession } from '../account.ts';
import { deviceName } from '../../../ui/device-name.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Age } from '../../../ui/Moment.tsx';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import { allowed, ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import classes from '../Account.module.css';
import { AccountSection } from './AccountSection.tsx';
import { sessionsQuery, useAccountChange } from './account-queries.ts';
import { providers } from '../words/words/provider-words.ts';
import { devices, sessions as words } from '../words/words/words.ts';

/** Where one is signed in, and the end of it. */
export function SessionsSection() {
  const endOthers = useAccountChange(endOtherSessions, words.othersEnded);
  const end = useAccountChange(endSession, words.ended);
  const failed = end.error ?? endOthers.error;
  return (
    <AccountSection name="sessions" title={words.title} note={words.note}>
      {failed !== null && <ProblemNotice error={failed} />}
      <Loaded query={useQuery(sessionsQuery)}>
        {(sessions) => (
          <>
            <ul className={classes.list}>
              {sessions.map((session) => (
                <Session key={session.id} session={session} onEnd={() => end.mutate(session.id)} />
              ))}
            </ul>
            {sessions.length > 1 && (
              <div>
                <ReasonedButton
                  {...allowed}
                  isSending={endOthers.isPending}
                  onPress={() => endOthers.mutate(undefined)}
                >
                  {words.endOthers}
                </ReasonedButton>
              </div>
            )}
          </>
        )}
      </Loaded>
    </AccountSection>
  );
}

function Session({ session, onEnd }: { session: OwnSession; onEnd: () => void }) {
  const { agent, address, provider, isThis, method, secondFactor, assurance, signedInAt, lastSeenAt } = session;
  const means = [words.methods[method], ...(secondFactor ? [words.secondFactors[secondFactor]] : [])].join(' + ');
  const name = deviceName(agent);
  return (
    <li className={classes.item}>
      <div>
        {name}
        {isThis && <span className={classes.this}>{devices.this}</span>}
        <span className={classes.second}>
          {words.from} <Revealed text={address === '' ? words.nowhere : address} />
        </span>
        <span className={classes.second}>
          {provider === null ? words.signedIn : providers.signedIn(provider)} <Age at={signedInAt} /> · {words.lastSeen}{' '}
          <Age at={lastSeenAt} />
        </span>
        <span className={classes.second}>
          {means} · {words.assurances[assurance]}
        </span>
      </div>
      {!isThis && (
        <ReasonedButton {...allowed} isQuiet onPress={onEnd}>
          {words.end(name)}
        </ReasonedButton>
      )}
    </li>
  );
}
