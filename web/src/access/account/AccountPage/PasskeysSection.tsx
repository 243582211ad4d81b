import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { useLocation } from 'react-router';
import type { OwnPasskey } from '#access/passkeys/contract/passkeys';
import { addPasskey, beginPasskey, removePasskey } from '../../passkeys/passkeys.ts';
import { hasPasskeys, makePasskey } from '../../passkeys/passkey.ts';
import { FreshFactorsOrProblem } from '../../factors/FreshFactor.tsx';
import { deviceName } from '../../../ui/device-name.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { PasskeyFacts } from '../../passkeys/PasskeyFacts.tsx';
import page from '../../../ui/Page.module.css';
import { allowed, ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import classes from '../Account.module.css';
import { AccountSection } from '../AccountSections/AccountSection.tsx';
import { passkeysQuery, useAccountChange } from '../AccountSections/account-queries.ts';
import { passkeys as words } from '../words/words/words.ts';

/** The devices with which one signs in and signs votes. */
export function PasskeysSection() {
  const remove = useAccountChange(removePasskey, words.removed);
  const [isAdding, setIsAdding] = useState(false);
  const section = useRef<HTMLElement>(null);
  const { hash } = useLocation();
  useEffect(() => {
    if (hash === '#passkeys') section.current?.scrollIntoView();
  }, [hash]);
  return (
    <AccountSection name="passkeys" id="passkeys" ref={section} title={words.title} note={words.note}>
      {remove.isError && <FreshFactorsOrProblem error={remove.error} onDone={remove.reset} />}
      <Loaded query={useQuery(passkeysQuery)}>
        {({ passkeys, origin }) => (
          <>
            <ul className={classes.list}>
              {passkeys.map((passkey) => (
                <Passkey
                  key={passkey.id}
                  passkey={passkey}
                  isRemoving={remove.isPending && remove.variables === passkey.id}
                  onRemove={() => remove.mutate(passkey.id)}
                />
              ))}
            </ul>
            {origin !== location.origin || !hasPasskeys() ? (
              <Elsewhere origin={origin} />
            ) : isAdding ? (
              <AddForm onEnd={() => setIsAdding(false)} />
            ) : (
              <div>
                <ReasonedButton {...allowed} onPress={() => setIsAdding(true)}>
                  {words.add}
                </ReasonedButton>
              </div>
            )}
          </>
        )}
      </Loaded>
    </AccountSection>
  );
}

/** Where a passkey can be added, if that is not here. */
function Elsewhere({ origin }: { origin: string | null }) {
  if (origin === null || origin === location.origin) return <p className={page.soft}>{words.impossible}</p>;
  const address = `${origin}/account`;
  return (
    <p className={page.small}>
      {words.elsewhere} <a href={address}>{address}</a>
    </p>
  );
}

interface PasskeyProps {
  passkey: OwnPasskey;
  isRemoving: boolean;
  onRemove: () => void;
}

function Passkey({ passkey, isRemoving, onRemove }: PasskeyProps) {
  const { name } = passkey;
  return (
    <li className={classes.item}>
      <div>
        <Revealed text={name} />
        <PasskeyFacts passkey={passkey} />
      </div>
      <ReasonedButton {...allowed} isQuiet isSending={isRemoving} onPress={onRemove}>
        {words.remove(name)}
      </ReasonedButton>
    </li>
  );
}

function AddForm({ onEnd }: { onEnd: () => void }) {
  const [name, setName] = useState(() => deviceName(navigator.userAgent));
  const [isTried, setIsTried] = useState(false);
  const add = useAccountChange(
    async () => addPasskey({ name: name.trim(), ...(await makePasskey(await beginPasskey())) }),
    words.addedNow,
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (name.trim() !== '') add.mutate(undefined, { onSuccess: onEnd });
  };
  return (
    <>
      {add.isError && <FreshFactorsOrProblem error={add.error} onDone={add.reset} />}
      <form onSubmit={submit} className={page.form} noValidate>
        <TextInput
          label={words.name}
          description={words.nameNote}
          maxLength={60}
          value={name}
          error={isTried && name.trim() === '' && words.nameMissing}
          onChange={({ currentTarget: { value } }) => setName(value)}
          autoComplete="off"
        />
        <div className={page.actions}>
          <Button type="submit" loading={add.isPending}>
            {words.create}
          </Button>
          <Button variant="default" onClick={onEnd}>
            {words.cancel}
          </Button>
        </div>
      </form>
    </>
  );
}
