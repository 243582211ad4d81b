import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Device, DeviceList } from '#notify/contract/settings';
import { removeDevice, testDevice } from '../account.ts';
import { deviceName } from '../../../ui/device-name.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Age } from '../../../ui/Moment.tsx';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import page from '../../../ui/Page.module.css';
import { allowed, ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import classes from '../Account.module.css';
import { AccountSection } from '../AccountSections/AccountSection.tsx';
import { devicesQuery, useAccountChange } from '../AccountSections/account-queries.ts';
import { ownPushQuery, turnPushOff, turnPushOn, type OwnPush } from '../AccountSections/own-push.ts';
import { devices as words } from '../words/words/words.ts';

/** In which browsers one is told, first of all in this one. */
export function DevicesSection() {
  const own = useQuery(ownPushQuery);
  return (
    <AccountSection name="devices" title={words.title} note={words.note}>
      <Loaded query={useQuery(devicesQuery)}>
        {(list) => (own.data ? <Devices list={list} own={own.data} /> : null)}
      </Loaded>
    </AccountSection>
  );
}

function Devices({ list: { key, devices }, own }: { list: DeviceList; own: OwnPush }) {
  const test = useAccountChange(testDevice, words.testSent);
  const remove = useAccountChange(async ({ id, hash }: Device) => {
    await removeDevice(id);
    if (hash === own.hash) await turnPushOff();
  }, words.removed);
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
              {device.hash === own.hash && <span className={classes.this}>{words.this}</span>}
              <span className={classes.second}>
                {words.since} <Age at={device.addedAt} />
              </span>
            </div>
            <div className={page.actions}>
              <ReasonedButton {...allowed} onPress={() => test.mutate(device.id)}>
                {words.test(deviceName(device.agent))}
              </ReasonedButton>
              <ReasonedButton {...allowed} isQuiet onPress={() => remove.mutate(device)}>
                {words.remove(deviceName(device.agent))}
              </ReasonedButton>
            </div>
          </li>
        ))}
      </ul>
      {test.isSuccess && <p className={page.soft}>{words.testSent}</p>}
    </>
  );
}

/** Why this browser cannot be told anything, or the button with which it can. */
function TurnOn({ publicKey, own: { state } }: { publicKey: string; own: OwnPush }) {
  const turnOn = useAccountChange(turnPushOn, words.turnedOn);
  if (state === 'unsupported' || state === 'denied') return <p className={page.reason}>{words[state]}</p>;
  return (
    <>
      {turnOn.isError && <ProblemNotice error={turnOn.error} />}
      <div className={page.actions}>
        <Button loading={turnOn.isPending} onClick={() => turnOn.mutate(publicKey)}>
          {words.turnOn}
        </Button>
      </div>
    </>
  );
}
