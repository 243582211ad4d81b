import { useMutation, useQuery, useQueryClient, queryOptions } from '@tanstack/react-query';
import { useState, useId, type SubmitEvent, type ReactNode, type Ref } from 'react';
import { secondFactorRoutes, type OwnTotp } from '#access/factors/contract/second-factor';
import { call, everyAnswer, query } from '../../client/call.ts';
import { FreshFactorsOrProblem } from '../factors/FreshFactor.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Age } from '../../ui/Moment.tsx';
import page from '../../ui/Page.module.css';
import { allowed, ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { RecoveryCodes, TotpEnrolment } from '../factors/TotpEnrolment.tsx';
import classes from './Account.module.css';
import {
  totp as words,
  providers,
  devices,
  sessions as sessionsSectionWords,
  settings as settingsSectionWords,
} from './words/words.ts';
import { accountRoutes, type OwnSession } from '#access/sign-in/contract/account';
import { deviceName } from '../../ui/device-name.ts';
import { ProblemNotice } from '../../ui/Notice.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import {
  notificationRoutes,
  type ChangeNotificationSettings,
  type NotificationSettings,
} from '#notify/contract/settings';
import { digests } from '#notify/contract/notification';
import { clockTime, minutesOf } from '#platform/text/clock-time';
import { languages } from '#platform/text/language';
import { fieldFaults } from '../../ui/field-faults.ts';
import { shell } from '../../ui/words/words.ts';
import { passkeyRoutes } from '#access/passkeys/contract/passkeys';
import { useChange } from '../../people/changes/use-change.ts';

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
  const begin = useMutation({ mutationFn: () => call(secondFactorRoutes.beginTotp) });
  const renew = useAccountChange(() => call(secondFactorRoutes.renewRecoveryCodes), words.renewed);
  const remove = useAccountChange(() => call(secondFactorRoutes.removeTotp), words.removed);
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
          void queries.invalidateQueries({ queryKey: everyAnswer });
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

/** Sessions of the person, and ways to end them. */
export function SessionsSection() {
  const endOthers = useAccountChange(() => call(accountRoutes.endOtherSessions), sessionsSectionWords.othersEnded);
  const end = useAccountChange(
    (id: string) => call(accountRoutes.endSession, { params: { id } }),
    sessionsSectionWords.ended,
  );
  const failed = end.error ?? endOthers.error;
  return (
    <AccountSection name="sessions" title={sessionsSectionWords.title} note={sessionsSectionWords.note}>
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
                  {sessionsSectionWords.endOthers}
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
  const means = [
    sessionsSectionWords.methods[method],
    ...(secondFactor ? [sessionsSectionWords.secondFactors[secondFactor]] : []),
  ].join(' + ');
  const name = deviceName(agent);
  return (
    <li className={classes.item}>
      <div>
        {name}
        {isThis && <span className={classes.this}>{devices.this}</span>}
        <span className={classes.second}>
          {sessionsSectionWords.from} <Revealed text={address === '' ? sessionsSectionWords.nowhere : address} />
        </span>
        <span className={classes.second}>
          {provider === null ? sessionsSectionWords.signedIn : providers.signedIn(provider)} <Age at={signedInAt} /> ·{' '}
          {sessionsSectionWords.lastSeen} <Age at={lastSeenAt} />
        </span>
        <span className={classes.second}>
          {means} · {sessionsSectionWords.assurances[assurance]}
        </span>
      </div>
      {!isThis && (
        <ReasonedButton {...allowed} isQuiet onPress={onEnd}>
          {sessionsSectionWords.end(name)}
        </ReasonedButton>
      )}
    </li>
  );
}

/** Settings of notifications, by email and in browsers alike. */
export function SettingsSection() {
  return (
    <AccountSection name="settings" title={settingsSectionWords.title}>
      <Loaded query={useQuery(settingsQuery)}>{(stored) => <SettingsForm stored={stored} />}</Loaded>
    </AccountSection>
  );
}

function SettingsForm({ stored }: { stored: NotificationSettings }) {
  const [draft, setDraft] = useState(() => draftOf(stored));
  const save = useAccountChange(
    (body: ChangeNotificationSettings) => call(notificationRoutes.changeNotificationSettings, { body }),
    settingsSectionWords.saved,
  );
  const faults = fieldFaults(save.error);
  const set = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate(changesOf(draft));
  };
  return (
    <form onSubmit={submit} className={page.form} noValidate>
      {save.isError && Object.keys(faults).length === 0 && <ProblemNotice error={save.error} />}
      <MailChoice isOn={draft.email} sendsMails={stored.sendsMails} onChange={(email) => set({ email })} />
      <div className={classes.two}>
        <NativeSelect
          label={settingsSectionWords.language}
          value={draft.language}
          data={languages.map((value) => ({ value, label: shell.languages[value] }))}
          onChange={({ currentTarget: { value } }) =>
            set({ language: languages.find((language) => language === value) ?? draft.language })
          }
        />
        <TimeZoneField
          value={draft.timeZone}
          fault={faults['timeZone']}
          stored={stored.timeZone}
          onChange={(timeZone) => set({ timeZone })}
        />
      </div>
      <NativeSelect
        label={settingsSectionWords.digest}
        value={draft.digest}
        data={digests.map((value) => ({ value, label: settingsSectionWords.digests[value] }))}
        onChange={({ currentTarget: { value } }) =>
          set({ digest: digests.find((digest) => digest === value) ?? draft.digest })
        }
      />
      <QuietHours draft={draft} fault={faults['quiet']} onChange={set} />
      <Checkbox
        label={settingsSectionWords.urgent}
        description={settingsSectionWords.urgentNote}
        checked={draft.urgent}
        onChange={({ currentTarget: { checked } }) => set({ urgent: checked })}
      />
      <div className={page.actions}>
        <Button type="submit" variant="default" loading={save.isPending}>
          {settingsSectionWords.save}
        </Button>
        {save.isSuccess && <span className={page.soft}>{settingsSectionWords.saved}</span>}
      </div>
    </form>
  );
}

interface TimeZoneFieldProps {
  value: string;
  fault: string | undefined;
  stored: string;
  onChange: (zone: string) => void;
}

/** Time zone, found by typing a part of its name: there are more than 400. */
function TimeZoneField({ value, fault, stored, onChange }: TimeZoneFieldProps) {
  const id = useId();
  const zones = timeZones(stored);
  const isUnknown = value !== '' && !zones.includes(value);
  return (
    <div>
      <TextInput
        label={settingsSectionWords.timeZone}
        description={settingsSectionWords.timeZoneNote}
        value={value}
        list={id}
        autoComplete="off"
        spellCheck={false}
        error={fault ?? (isUnknown && settingsSectionWords.timeZoneUnknown)}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <datalist id={id}>
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </div>
  );
}

interface QuietHoursProps {
  draft: Draft;
  fault: string | undefined;
  onChange: (part: Partial<Draft>) => void;
}

function QuietHours({ draft: { isQuiet, from, until }, fault, onChange }: QuietHoursProps) {
  return (
    <>
      <Checkbox
        label={settingsSectionWords.quiet}
        description={settingsSectionWords.quietNote}
        checked={isQuiet}
        onChange={({ currentTarget: { checked } }) => onChange({ isQuiet: checked })}
      />
      {isQuiet && (
        <div className={classes.two}>
          <TextInput
            type="time"
            label={settingsSectionWords.from}
            value={from}
            onChange={({ currentTarget: { value } }) => onChange({ from: value })}
          />
          <TextInput
            type="time"
            label={settingsSectionWords.until}
            value={until}
            error={fault}
            onChange={({ currentTarget: { value } }) => onChange({ until: value })}
          />
        </div>
      )}
    </>
  );
}

interface MailChoiceProps {
  isOn: boolean;
  /** Does this installation send mails? */
  sendsMails: boolean;
  onChange: (isOn: boolean) => void;
}

function MailChoice({ isOn, sendsMails, onChange }: MailChoiceProps) {
  const test = useAccountChange(() => call(notificationRoutes.testNotification), settingsSectionWords.testSent);
  return (
    <>
      <Checkbox
        label={settingsSectionWords.email}
        description={sendsMails ? settingsSectionWords.emailNote : settingsSectionWords.noMails}
        checked={isOn}
        onChange={({ currentTarget: { checked } }) => onChange(checked)}
      />
      {sendsMails && (
        <div className={page.actions}>
          <Button variant="default" loading={test.isPending} onClick={() => test.mutate(undefined)}>
            {settingsSectionWords.testMail}
          </Button>
          {test.isSuccess && <span className={page.soft}>{settingsSectionWords.testSent}</span>}
        </div>
      )}
      {test.isError && <ProblemNotice error={test.error} />}
    </>
  );
}

type Draft = ReturnType<typeof draftOf>;

const draftOf = ({ email, language, timeZone, digest, quiet, urgent }: NotificationSettings) => ({
  email,
  language,
  timeZone,
  digest,
  urgent,
  isQuiet: quiet !== null,
  from: clockTime(quiet?.from ?? 22 * 60),
  until: clockTime(quiet?.until ?? 7 * 60),
});

const changesOf = ({ isQuiet, from, until, ...rest }: Draft) => ({
  ...rest,
  quiet: isQuiet ? { from: minutesOf(from), until: minutesOf(until) } : null,
});

/** Choices: this browser's time zone first, then all others that it has, and always the chosen one. */
function timeZones(chosen: string): string[] {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return [...new Set([own, 'UTC', chosen, ...Intl.supportedValuesOf('timeZone')])];
}

/** Can this browser be notified, and does its person allow it? */
type PushState = 'unsupported' | 'denied' | 'off' | 'on';

export interface OwnPush {
  state: PushState;
  /** Key of this browser in the list of devices; null if it has no subscription. */
  hash: string | null;
}

export const ownPushQuery = queryOptions({
  queryKey: ['own-push'],
  queryFn: readOwnPush,
});

async function readOwnPush(): Promise<OwnPush> {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    return { state: 'unsupported', hash: null };
  if (Notification.permission === 'denied') return { state: 'denied', hash: null };
  const subscription = await ownSubscription();
  return subscription ? { state: 'on', hash: await hashOf(subscription) } : { state: 'off', hash: null };
}

const ownSubscription = async (): Promise<PushSubscription | null> =>
  (await (await navigator.serviceWorker.getRegistration('/'))?.pushManager.getSubscription()) ?? null;

/** Asks the person, subscribes with the installation's key, and registers at Assentry; ends at once if the person refuses. */
export async function turnPushOn(key: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') return;
  await navigator.serviceWorker.register('/service-worker.js');
  const { pushManager } = await navigator.serviceWorker.ready;
  await (await pushManager.getSubscription())?.unsubscribe(); // it may be for another key
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  await call(notificationRoutes.addDevice, { body: bodyOf(subscription) });
}

/** Ends the subscription of this browser, if it has one. */
export async function turnPushOff(): Promise<void> {
  await (await ownSubscription())?.unsubscribe();
}

/** Restores notifications of this browser after all sign-ins were ended. */
export async function keepPush(): Promise<void> {
  if ((await readOwnPush()).state !== 'on') return;
  const subscription = await ownSubscription();
  if (subscription) await call(notificationRoutes.addDevice, { body: bodyOf(subscription) });
}

function bodyOf(subscription: PushSubscription) {
  const { endpoint = '', keys } = subscription.toJSON();
  return { endpoint, keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' } };
}

async function hashOf({ endpoint }: PushSubscription): Promise<string> {
  const bytes = new TextEncoder().encode(new URL(endpoint).href);
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return btoa(String.fromCharCode(...hash))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

interface AccountSectionProps {
  name: string;
  title: string;
  note?: string;
  /** Anchor for links to this place. */
  id?: string;
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}

/** A part of the page under its heading. */
export const AccountSection = ({ name, title, note, children, ...section }: AccountSectionProps) => (
  <section {...section} className={classes.section} aria-labelledby={`account-${name}`}>
    <h2 id={`account-${name}`} className={page.subtitle}>
      {title}
    </h2>
    {note !== undefined && <p className={page.small}>{note}</p>}
    {children}
  </section>
);

const sessionsQuery = queryOptions({
  ...query(accountRoutes.listSessions),
  select: ({ sessions }) => sessions,
});

const settingsQuery = query(notificationRoutes.getNotificationSettings);

export const credentialsQuery = queryOptions({
  ...query(accountRoutes.listCredentials),
  select: ({ credentials }) => credentials,
});

export const passkeysQuery = query(passkeyRoutes.listPasskeys);

const totpQuery = query(secondFactorRoutes.showTotp);

export const devicesQuery = query(notificationRoutes.listDevices);

/** Makes one change of the profile, and reads the profile again. */
export const useAccountChange = <Change, Result>(send: (change: Change) => Promise<Result>, message: string) =>
  useChange(send, { message, queries: [everyAnswer, ownPushQuery.queryKey] });
