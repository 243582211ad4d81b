import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState, type SubmitEvent } from 'react';
import type { NotificationSettings } from '#notify/contract/settings';
import { digests } from '#notify/contract/notification';
import { clockTime, minutesOf } from '#platform/text/clock-time';
import { languages } from '#platform/text/language';
import { changeNotificationSettings, sendTestMail } from '../account.ts';
import { fieldFaults } from '../../../ui/field-faults.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import page from '../../../ui/Page.module.css';
import { shell } from '../../../ui/words/words.ts';
import classes from '../Account.module.css';
import { AccountSection } from './AccountSection.tsx';
import { settingsQuery, useAccountChange } from './account-queries.ts';
import { settings as words } from '../words/words/words.ts';

/** When and how one is told, by email and in browsers alike. */
export function SettingsSection() {
  return (
    <AccountSection name="settings" title={words.title}>
      <Loaded query={useQuery(settingsQuery)}>{(stored) => <SettingsForm stored={stored} />}</Loaded>
    </AccountSection>
  );
}

function SettingsForm({ stored }: { stored: NotificationSettings }) {
  const [draft, setDraft] = useState(() => draftOf(stored));
  const save = useAccountChange(changeNotificationSettings, words.saved);
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
          label={words.language}
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
        label={words.digest}
        value={draft.digest}
        data={digests.map((value) => ({ value, label: words.digests[value] }))}
        onChange={({ currentTarget: { value } }) =>
          set({ digest: digests.find((digest) => digest === value) ?? draft.digest })
        }
      />
      <QuietHours draft={draft} fault={faults['quiet']} onChange={set} />
      <Checkbox
        label={words.urgent}
        description={words.urgentNote}
        checked={draft.urgent}
        onChange={({ currentTarget: { checked } }) => set({ urgent: checked })}
      />
      <div className={page.actions}>
        <Button type="submit" variant="default" loading={save.isPending}>
          {words.save}
        </Button>
        {save.isSuccess && <span className={page.soft}>{words.saved}</span>}
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

/** Found by typing a part of its name: there are more than 400. */
function TimeZoneField({ value, fault, stored, onChange }: TimeZoneFieldProps) {
  const id = useId();
  const zones = timeZones(stored);
  const isUnknown = value !== '' && !zones.includes(value);
  return (
    <div>
      <TextInput
        label={words.timeZone}
        description={words.timeZoneNote}
        value={value}
        list={id}
        autoComplete="off"
        spellCheck={false}
        error={fault ?? (isUnknown && words.timeZoneUnknown)}
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
        label={words.quiet}
        description={words.quietNote}
        checked={isQuiet}
        onChange={({ currentTarget: { checked } }) => onChange({ isQuiet: checked })}
      />
      {isQuiet && (
        <div className={classes.two}>
          <TextInput
            type="time"
            label={words.from}
            value={from}
            onChange={({ currentTarget: { value } }) => onChange({ from: value })}
          />
          <TextInput
            type="time"
            label={words.until}
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
  const test = useAccountChange(sendTestMail, words.testSent);
  return (
    <>
      <Checkbox
        label={words.email}
        description={sendsMails ? words.emailNote : words.noMails}
        checked={isOn}
        onChange={({ currentTarget: { checked } }) => onChange(checked)}
      />
      {sendsMails && (
        <div className={page.actions}>
          <Button variant="default" loading={test.isPending} onClick={() => test.mutate(undefined)}>
            {words.testMail}
          </Button>
          {test.isSuccess && <span className={page.soft}>{words.testSent}</span>}
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

/** What can be chosen: this browser's time zone first, then all others that it has, and always the chosen one. */
function timeZones(chosen: string): string[] {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return [...new Set([own, 'UTC', chosen, ...Intl.supportedValuesOf('timeZone')])];
}
