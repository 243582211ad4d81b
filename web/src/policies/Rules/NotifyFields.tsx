import { Checkbox } from '@mantine/core';
import { personalChannels } from '#notify/chat/contract';
import { form as words } from '../words/words.ts';
import type { RuleProps } from '../StageFields/form-props.ts';
import classes from '../PolicyForm.module.css';

/** How approvers are notified of the requests; without a choice, as each of them has set. */
export function NotifyFields({ rule: { path: holder, notify }, edit }: RuleProps) {
  const path = [...holder, 'require', 'notify'];
  const save = (channels: string[], isUrgent: boolean) =>
    channels.length === 0 && !isUrgent
      ? edit([path, undefined])
      : edit(
          [[...path, 'channels'], channels.length === 0 ? undefined : channels],
          [[...path, 'urgent'], isUrgent || undefined],
        );
  return (
    <fieldset className={classes.fields}>
      <legend className={classes.legend}>{words.notify}</legend>
      <Checkbox.Group
        label={words.channels}
        description={words.channelsNote}
        value={notify.channels}
        onChange={(chosen) =>
          save(
            personalChannels.filter((channel) => chosen.includes(channel)),
            notify.isUrgent,
          )
        }
      >
        <div className={classes.row}>
          {personalChannels.map((channel) => (
            <Checkbox key={channel} value={channel} label={words.channelNames[channel]} className={classes.option} />
          ))}
        </div>
      </Checkbox.Group>
      <Checkbox
        label={words.urgent}
        description={words.urgentNote}
        checked={notify.isUrgent}
        onChange={(event) => save(notify.channels, event.currentTarget.checked)}
      />
    </fieldset>
  );
}
