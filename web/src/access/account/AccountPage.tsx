import { useUser } from '../../people/users/use-user.ts';
import page from '../../ui/Page.module.css';
import { PageHead } from '../../ui/PageHead.tsx';
import { Initials } from '../../ui/Initials.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import { nameRole, newPassword } from '../../ui/words/words.ts';
import classes from './Account.module.css';
import {
  AccountSection,
  SessionsSection,
  TotpSection,
  SettingsSection,
  credentialsQuery,
  useAccountChange,
  devicesQuery,
  ownPushQuery,
  turnPushOff,
  turnPushOn,
  type OwnPush,
  passkeysQuery,
  keepPush,
} from './AccountSections.tsx';
import {
  words,
  appearance as appearanceSectionWords,
  credentials as credentialsSectionWords,
  devices as devicesSectionWords,
  passkeys as passkeysSectionWords,
  password as passwordSectionWords,
  providers as providersSectionWords,
} from './words/words.ts';
import { NativeSelect, Switch, useMantineColorScheme, Button, TextInput, PasswordInput } from '@mantine/core';
import { LanguageSelect } from '../../ui/LanguageSelect.tsx';
import { useChoice } from '../../ui/kept-choice.ts';
import { density, split } from '../../ui/looks.ts';
import { colorSchemes } from '../../ui/theme.ts';
import { useQuery, useQueryClient, useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent, useEffect, useRef } from 'react';
import { accountRoutes, type ChangePassword, type OwnCredential } from '#access/sign-in/contract/account';
import { providerRoutes } from '#access/oidc/contract/sign-in-provider';
import { fieldFaults, textFields } from '../../ui/field-faults.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { Age } from '../../ui/Moment.tsx';
import { ProblemNotice } from '../../ui/Notice.tsx';
import { allowed, ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { notificationRoutes, type Device, type DeviceList } from '#notify/contract/settings';
import { deviceName } from '../../ui/device-name.ts';
import { useLocation } from 'react-router';
import { passkeyRoutes, type OwnPasskey } from '#access/passkeys/contract/passkeys';
import { hasPasskeys, makePasskey } from '../passkeys/passkey.ts';
import { FreshFactorsOrProblem } from '../factors/FreshFactor.tsx';
import { PasskeyFacts } from '../passkeys/PasskeyFacts.tsx';
import { minPasswordLength } from '../../people/users/administrator.ts';
import { call, everyAnswer } from '../../client/call.ts';
import { goToProvider } from '../sign-in/go-to-provider.ts';
import { ownProvidersQuery } from '../sign-in/own-providers.ts';

/** Page for a person's own settings. */
export function AccountPage() {
  return (
    <div className={page.stack}>
      <PageHead title={words.title} lead={words.lead} />
      <div className={classes.sections}>
        <NameSection />
        <DevicesSection />
        <SettingsSection />
        <AppearanceSection />
        <CredentialsSection />
        <PasskeysSection />
        <TotpSection />
        <ProvidersSection />
        <PasswordSection />
        <SessionsSection />
      </div>
    </div>
  );
}

function NameSection() {
  const user = useUser();
  if (!user) return null;
  return (
    <AccountSection name="name" title={words.name}>
      <p>
        <Initials id={user.id} name={user.name} />
        <strong>
          <Revealed text={user.name} />
        </strong>
        <span className={classes.second}>
          <Revealed text={user.email} /> · {nameRole(user.role)}
        </span>
      </p>
      <p className={page.small}>{words.nameNote}</p>
    </AccountSection>
  );
}

/** Appearance of the console in this browser. */
function AppearanceSection() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const rows = useChoice(density);
  const isSplit = useChoice(split) === 'on';
  return (
    <AccountSection name="appearance" title={appearanceSectionWords.title} note={appearanceSectionWords.note}>
      <div className={classes.two}>
        <NativeSelect
          label={appearanceSectionWords.theme}
          value={colorScheme}
          data={colorSchemes.map((value) => ({ value, label: appearanceSectionWords.themes[value] }))}
          onChange={({ currentTarget: { value } }) =>
            setColorScheme(colorSchemes.find((scheme) => scheme === value) ?? 'auto')
          }
        />
        <LanguageSelect label={appearanceSectionWords.language} />
        <NativeSelect
          label={appearanceSectionWords.density}
          value={rows}
          data={density.values.map((value) => ({ value, label: appearanceSectionWords.densities[value] }))}
          onChange={({ currentTarget: { value } }) => density.set(value === 'compact' ? 'compact' : 'comfortable')}
        />
      </div>
      <Switch
        label={appearanceSectionWords.split}
        description={appearanceSectionWords.splitNote}
        checked={isSplit}
        onChange={({ currentTarget: { checked } }) => split.set(checked ? 'on' : 'off')}
      />
    </AccountSection>
  );
}

/** A person's connected accounts and entered credentials: with their dates, never their secrets. */
function CredentialsSection() {
  return (
    <AccountSection name="credentials" title={credentialsSectionWords.title} note={credentialsSectionWords.note}>
      <Loaded query={useQuery(credentialsQuery)}>
        {(credentials) =>
          credentials.length === 0 ? (
            <p className={page.small}>{credentialsSectionWords.empty}</p>
          ) : (
            <ul className={classes.list}>
              {credentials.map((credential) => (
                <Credential key={credential.id} credential={credential} />
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
}

function Credential({ credential }: CredentialProps) {
  const [isReplacing, setIsReplacing] = useState(false);
  const { id, server, label, connection } = credential;
  const remove = useAccountChange(
    () => call(accountRoutes.removeCredential, { params: { id } }),
    connection ? credentialsSectionWords.disconnected(connection.provider) : credentialsSectionWords.removed,
  );
  return (
    <li className={classes.item}>
      <div>
        <Revealed text={connection ? `${connection.provider}: ${connection.account}` : (label ?? server)} />
        {label !== null && <Use server={server} scopes={[]} />}
        {connection && <Use server={server} scopes={connection.scopes} />}
        <Dates credential={credential} />
        {remove.isError && <ProblemNotice error={remove.error} />}
      </div>
      <div className={page.actions}>
        {!isReplacing && !connection && label === null && (
          <ReasonedButton {...allowed} onPress={() => setIsReplacing(true)}>
            {credentialsSectionWords.replace(server)}
          </ReasonedButton>
        )}
        <ReasonedButton {...allowed} isQuiet isSending={remove.isPending} onPress={() => remove.mutate(undefined)}>
          {connection
            ? credentialsSectionWords.disconnect(connection.provider)
            : credentialsSectionWords.remove(server)}
        </ReasonedButton>
      </div>
      {isReplacing && <ReplaceForm credential={credential} onEnd={() => setIsReplacing(false)} />}
    </li>
  );
}

function Use({ server, scopes }: { server: string; scopes: string[] }) {
  const permits = scopes.length > 0 ? ` · ${credentialsSectionWords.permits(scopes.join(', '))}` : '';
  return <span className={classes.second}>{`${credentialsSectionWords.forServer(server)}${permits}`}</span>;
}

function Dates({ credential: { storedAt, usedAt, refusedAt, label, connection } }: CredentialProps) {
  const { refusedConnection, refusedSecret, refused } = credentialsSectionWords;
  const reason = label === null ? refused : refusedSecret;
  return (
    <>
      <span className={classes.second}>
        {connection ? credentialsSectionWords.connected : credentialsSectionWords.stored} <Age at={storedAt} />
        {refusedAt === null && (
          <>
            {' · '}
            {usedAt === null ? credentialsSectionWords.unused : credentialsSectionWords.used}{' '}
            {usedAt !== null && <Age at={usedAt} />}
          </>
        )}
      </span>
      {refusedAt !== null && (
        <span className={classes.refused}>
          {connection ? refusedConnection : reason} <Age at={refusedAt} />
        </span>
      )}
    </>
  );
}

function ReplaceForm({ credential: { id, server }, onEnd }: CredentialProps & { onEnd: () => void }) {
  const [secret, setSecret] = useState('');
  const [isTried, setIsTried] = useState(false);
  const replace = useAccountChange(
    () => call(accountRoutes.replaceCredential, { params: { id }, body: { secret: secret.trim() } }),
    credentialsSectionWords.replaced,
  );
  const fault =
    fieldFaults(replace.error)['secret'] ??
    (isTried && secret.trim() === '' ? credentialsSectionWords.missing : undefined);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (secret.trim() !== '') replace.mutate(undefined, { onSuccess: onEnd });
  };
  return (
    <form onSubmit={submit} className={classes.replace} noValidate>
      {replace.isError && fault === undefined && <ProblemNotice error={replace.error} />}
      <TextInput
        type="password"
        label={credentialsSectionWords.next(server)}
        description={credentialsSectionWords.nextNote}
        value={secret}
        error={fault}
        onChange={({ currentTarget: { value } }) => setSecret(value)}
        autoComplete="off"
      />
      <div className={page.actions}>
        <Button type="submit" loading={replace.isPending}>
          {credentialsSectionWords.save}
        </Button>
        <Button variant="default" onClick={onEnd}>
          {credentialsSectionWords.cancel}
        </Button>
      </div>
    </form>
  );
}

/** Browsers with notifications, this one first. */
function DevicesSection() {
  const own = useQuery(ownPushQuery);
  return (
    <AccountSection name="devices" title={devicesSectionWords.title} note={devicesSectionWords.note}>
      <Loaded query={useQuery(devicesQuery)}>
        {(list) => (own.data ? <Devices list={list} own={own.data} /> : null)}
      </Loaded>
    </AccountSection>
  );
}

function Devices({ list: { key, devices }, own }: { list: DeviceList; own: OwnPush }) {
  const test = useAccountChange(
    (id: string) => call(notificationRoutes.testDevice, { params: { id } }),
    devicesSectionWords.testSent,
  );
  const remove = useAccountChange(async ({ id, hash }: Device) => {
    await call(notificationRoutes.removeDevice, { params: { id } });
    if (hash === own.hash) await turnPushOff();
  }, devicesSectionWords.removed);
  const failed = test.error ?? remove.error;
  return (
    <>
      {!devices.some(({ hash }) => hash === own.hash) && <TurnOn publicKey={key} own={own} />}
      {failed !== null && <ProblemNotice error={failed} />}
      <ul className={classes.list}>
        {devices.map((device) => (
          <li key={device.id} className={classes.item}>
            <div>
              {deviceName(device.agent)}
              {device.hash === own.hash && <span className={classes.this}>{devicesSectionWords.this}</span>}
              <span className={classes.second}>
                {devicesSectionWords.since} <Age at={device.addedAt} />
              </span>
            </div>
            <div className={page.actions}>
              <ReasonedButton {...allowed} onPress={() => test.mutate(device.id)}>
                {devicesSectionWords.test(deviceName(device.agent))}
              </ReasonedButton>
              <ReasonedButton {...allowed} isQuiet onPress={() => remove.mutate(device)}>
                {devicesSectionWords.remove(deviceName(device.agent))}
              </ReasonedButton>
            </div>
          </li>
        ))}
      </ul>
      {test.isSuccess && <p className={page.soft}>{devicesSectionWords.testSent}</p>}
    </>
  );
}

/** The button that turns notifications on, or the reason why this browser cannot. */
function TurnOn({ publicKey, own: { state } }: { publicKey: string; own: OwnPush }) {
  const turnOn = useAccountChange(turnPushOn, devicesSectionWords.turnedOn);
  if (state === 'unsupported' || state === 'denied') return <p className={page.reason}>{devicesSectionWords[state]}</p>;
  return (
    <>
      {turnOn.isError && <ProblemNotice error={turnOn.error} />}
      <div className={page.actions}>
        <Button loading={turnOn.isPending} onClick={() => turnOn.mutate(publicKey)}>
          {devicesSectionWords.turnOn}
        </Button>
      </div>
    </>
  );
}

/** Devices that sign in and sign votes. */
function PasskeysSection() {
  const remove = useAccountChange(
    (id: string) => call(passkeyRoutes.removePasskey, { params: { id } }),
    passkeysSectionWords.removed,
  );
  const [isAdding, setIsAdding] = useState(false);
  const section = useRef<HTMLElement>(null);
  const { hash } = useLocation();
  useEffect(() => {
    if (hash === '#passkeys') section.current?.scrollIntoView();
  }, [hash]);
  return (
    <AccountSection
      name="passkeys"
      id="passkeys"
      ref={section}
      title={passkeysSectionWords.title}
      note={passkeysSectionWords.note}
    >
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
                  {passkeysSectionWords.add}
                </ReasonedButton>
              </div>
            )}
          </>
        )}
      </Loaded>
    </AccountSection>
  );
}

/** Address at which a passkey can be added, if not this one. */
function Elsewhere({ origin }: { origin: string | null }) {
  if (origin === null || origin === location.origin)
    return <p className={page.soft}>{passkeysSectionWords.impossible}</p>;
  const address = `${origin}/account`;
  return (
    <p className={page.small}>
      {passkeysSectionWords.elsewhere} <a href={address}>{address}</a>
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
        {passkeysSectionWords.remove(name)}
      </ReasonedButton>
    </li>
  );
}

function AddForm({ onEnd }: { onEnd: () => void }) {
  const [name, setName] = useState(() => deviceName(navigator.userAgent));
  const [isTried, setIsTried] = useState(false);
  const add = useAccountChange(async () => {
    const passkey = await makePasskey(await call(passkeyRoutes.beginPasskey));
    return call(passkeyRoutes.addPasskey, { body: { name: name.trim(), ...passkey } });
  }, passkeysSectionWords.addedNow);
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
          label={passkeysSectionWords.name}
          description={passkeysSectionWords.nameNote}
          maxLength={60}
          value={name}
          error={isTried && name.trim() === '' && passkeysSectionWords.nameMissing}
          onChange={({ currentTarget: { value } }) => setName(value)}
          autoComplete="off"
        />
        <div className={page.actions}>
          <Button type="submit" loading={add.isPending}>
            {passkeysSectionWords.create}
          </Button>
          <Button variant="default" onClick={onEnd}>
            {passkeysSectionWords.cancel}
          </Button>
        </div>
      </form>
    </>
  );
}

const empty = { current: '', password: '' };

/** Form to change the password, for a person who knows the current one. */
function PasswordSection() {
  const { field, save, submit } = usePasswordForm();
  return (
    <AccountSection name="password" title={passwordSectionWords.title} note={passwordSectionWords.note}>
      {save.isError && Object.keys(fieldFaults(save.error)).length === 0 && (
        <FreshFactorsOrProblem error={save.error} onDone={save.reset} />
      )}
      <form onSubmit={submit} className={page.form} noValidate>
        <PasswordInput {...field('current')} label={passwordSectionWords.current} autoComplete="current-password" />
        <PasswordInput
          {...field('password')}
          label={passwordSectionWords.next}
          description={newPassword.rule}
          autoComplete="new-password"
        />
        <div className={page.actions}>
          <Button type="submit" variant="default" loading={save.isPending}>
            {passwordSectionWords.submit}
          </Button>
          {save.isSuccess && <span className={page.soft}>{passwordSectionWords.changed}</span>}
        </div>
      </form>
    </AccountSection>
  );
}

function usePasswordForm() {
  const [draft, setDraft] = useState(empty);
  const [isTried, setIsTried] = useState(false);
  const queries = useQueryClient();
  const save = useAccountChange(
    (body: ChangePassword) => call(accountRoutes.changePassword, { body }),
    passwordSectionWords.changed,
  );
  const faults = { ...fieldFaults(save.error), ...(isTried && missing(draft)) };
  const field = textFields(draft, (part) => setDraft({ ...draft, ...part }), faults);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (Object.keys(missing(draft)).length > 0) return;
    save.mutate(draft, {
      onSuccess: async () => {
        setDraft(empty);
        setIsTried(false);
        await keepPush();
        await queries.invalidateQueries({ queryKey: everyAnswer });
      },
    });
  };
  return { field, save, submit };
}

function missing({ current, password }: typeof empty): Partial<typeof empty> {
  const length = [...password].length;
  return {
    ...(current === '' && { current: passwordSectionWords.currentMissing }),
    ...(length < minPasswordLength && { password: newPassword.tooShort(length) }),
  };
}

/** The identity providers of this installation; nothing if there are none. */
function ProvidersSection() {
  const { data: providers = [] } = useQuery(ownProvidersQuery);
  const connect = useMutation({
    mutationFn: (key: string) => goToProvider({ key, way: 'connect', returnTo: '/account' }),
  });
  const remove = useAccountChange(
    (provider: string) => call(providerRoutes.removeProvider, { params: { provider } }),
    providersSectionWords.removed,
  );
  if (providers.length === 0) return null;
  return (
    <AccountSection name="providers" title={providersSectionWords.title} note={providersSectionWords.note}>
      {connect.isError && <FreshFactorsOrProblem error={connect.error} onDone={connect.reset} />}
      {remove.isError && <FreshFactorsOrProblem error={remove.error} onDone={remove.reset} />}
      <ul className={classes.list}>
        {providers.map(({ key, name, connectedAt, lastUsedAt }) => (
          <li key={key} className={classes.item}>
            <div>
              {name}
              <span className={classes.second}>
                {connectedAt === null ? providersSectionWords.notConnected : providersSectionWords.connected}
                {lastUsedAt !== null && (
                  <>
                    {' · '}
                    {providersSectionWords.used} <Age at={lastUsedAt} />
                  </>
                )}
              </span>
            </div>
            {connectedAt === null ? (
              <ReasonedButton {...allowed} isSending={connect.isPending} onPress={() => connect.mutate(key)}>
                {providersSectionWords.connect(name)}
              </ReasonedButton>
            ) : (
              <ReasonedButton {...allowed} isQuiet onPress={() => remove.mutate(key)}>
                {providersSectionWords.remove(name)}
              </ReasonedButton>
            )}
          </li>
        ))}
      </ul>
    </AccountSection>
  );
}
