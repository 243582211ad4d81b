import { useMutation, useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { address, callApi } from '../../../client/call-api/call-api.ts';
import { goToProvider } from '../../sign-in/go-to-provider.ts';
import { ownProvidersQuery } from '../../sign-in/own-providers.ts';
import { FreshFactorsOrProblem } from '../../factors/FreshFactor.tsx';
import { Age } from '../../../ui/Moment.tsx';
import { allowed, ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import classes from '../Account.module.css';
import { AccountSection } from '../AccountSections/AccountSection.tsx';
import { useAccountChange } from '../AccountSections/account-queries.ts';
import { providers as words } from '../words/words/provider-words.ts';

const removeProvider = (key: string): Promise<null> =>
  callApi(address`/api/account/providers/${key}`, { method: 'DELETE', answer: z.null() });

/** The identity providers of this installation; nothing if there are none. */
export function ProvidersSection() {
  const { data: providers = [] } = useQuery(ownProvidersQuery);
  const connect = useMutation({
    mutationFn: (key: string) => goToProvider({ key, way: 'connect', returnTo: '/account' }),
  });
  const remove = useAccountChange(removeProvider, words.removed);
  if (providers.length === 0) return null;
  return (
    <AccountSection name="providers" title={words.title} note={words.note}>
      {connect.isError && <FreshFactorsOrProblem error={connect.error} onDone={connect.reset} />}
      {remove.isError && <FreshFactorsOrProblem error={remove.error} onDone={remove.reset} />}
      <ul className={classes.list}>
        {providers.map(({ key, name, connectedAt, lastUsedAt }) => (
          <li key={key} className={classes.item}>
            <div>
              {name}
              <span className={classes.second}>
                {connectedAt === null ? words.notConnected : words.connected}
                {lastUsedAt !== null && (
                  <>
                    {' · '}
                    {words.used} <Age at={lastUsedAt} />
                  </>
                )}
              </span>
            </div>
            {connectedAt === null ? (
              <ReasonedButton {...allowed} isSending={connect.isPending} onPress={() => connect.mutate(key)}>
                {words.connect(name)}
              </ReasonedButton>
            ) : (
              <ReasonedButton {...allowed} isQuiet onPress={() => remove.mutate(key)}>
                {words.remove(name)}
              </ReasonedButton>
            )}
          </li>
        ))}
      </ul>
    </AccountSection>
  );
}
