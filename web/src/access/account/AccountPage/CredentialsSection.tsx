import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { OwnCredential } from '#access/sign-in/contract/account';
import { removeCredential, replaceCredential } from '../account.ts';
import { fieldFaults } from '../../../ui/field-faults.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Age } from '../../../ui/Moment.tsx';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import page from '../../../ui/Page.module.css';
import { allowed, ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import classes from '../Account.module.css';
import { AccountSection } from '../AccountSections/AccountSection.tsx';
import { credentialsQuery, useAccountChange } from '../AccountSections/account-queries.ts';
import { credentials as words } from '../words/words/words.ts';

/** What one has entered for servers: since when, never what. */
export function CredentialsSection() {
  const remove = useAccountChange(removeCredential, words.removed);
  return (
    <AccountSection name="credentials" title={words.title} note={words.note}>
      {remove.isError && <ProblemNotice error={remove.error} />}
      <Loaded query={useQuery(credentialsQuery)}>
        {(credentials) =>
          credentials.length === 0 ? (
            <p className={page.small}>{words.empty}</p>
          ) : (
            <ul className={classes.list}>
              {credentials.map((credential) => (
                <Credential
                  key={credential.id}
                  credential={credential}
                  isRemoving={remove.isPending && remove.variables === credential.id}
                  onRemove={() => remove.mutate(credential.id)}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </AccountSection>
  );
}

interface CredentialProps {
  credential: OwnCredential;
  isRemoving: boolean;
  onRemove: () => void;
}

function Credential({ credential, isRemoving, onRemove }: CredentialProps) {
  const [isReplacing, setIsReplacing] = useState(false);
  const { server } = credential;
  return (
    <li className={classes.item}>
      <div>
        <Revealed text={server} />
        <Dates credential={credential} />
      </div>
      <div className={page.actions}>
        {!isReplacing && (
          <ReasonedButton {...allowed} onPress={() => setIsReplacing(true)}>
            {words.replace(server)}
          </ReasonedButton>
        )}
        <ReasonedButton {...allowed} isQuiet isSending={isRemoving} onPress={onRemove}>
          {words.remove(server)}
        </ReasonedButton>
      </div>
      {isReplacing && <ReplaceForm credential={credential} onEnd={() => setIsReplacing(false)} />}
    </li>
  );
}

function Dates({ credential: { storedAt, usedAt, refusedAt } }: { credential: OwnCredential }) {
  return (
    <>
      <span className={classes.second}>
        {words.stored} <Age at={storedAt} />
        {refusedAt === null && (
          <>
            {' · '}
            {usedAt === null ? words.unused : words.used} {usedAt !== null && <Age at={usedAt} />}
          </>
        )}
      </span>
      {refusedAt !== null && (
        <span className={classes.refused}>
          {words.refused} <Age at={refusedAt} />
        </span>
      )}
    </>
  );
}

function ReplaceForm({ credential: { id, server }, onEnd }: { credential: OwnCredential; onEnd: () => void }) {
  const [secret, setSecret] = useState('');
  const [isTried, setIsTried] = useState(false);
  const replace = useAccountChange(replaceCredential, words.replaced);
  const fault = fieldFaults(replace.error)['secret'] ?? (isTried && secret.trim() === '' ? words.missing : undefined);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (secret.trim() !== '') replace.mutate({ id, secret: secret.trim() }, { onSuccess: onEnd });
  };
  return (
    <form onSubmit={submit} className={classes.replace} noValidate>
      {replace.isError && fault === undefined && <ProblemNotice error={replace.error} />}
      <TextInput
        type="password"
        label={words.next(server)}
        description={words.nextNote}
        value={secret}
        error={fault}
        onChange={({ currentTarget: { value } }) => setSecret(value)}
        autoComplete="off"
      />
      <div className={page.actions}>
        <Button type="submit" loading={replace.isPending}>
          {words.save}
        </Button>
        <Button variant="default" onClick={onEnd}>
          {words.cancel}
        </Button>
      </div>
    </form>
  );
}
