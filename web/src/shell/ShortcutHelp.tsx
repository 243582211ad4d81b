import { Button, Modal, Switch } from '@mantine/core';
import { Fragment } from 'react';
import { useHotkeySwitch } from './use-hotkeys.tsx';
import classes from './ShortcutHelp.module.css';
import { shortcuts } from '../ui/words/palette-words.ts';

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const { isOn, setIsOn } = useHotkeySwitch();
  return (
    // Not Modal.Header: it is a second banner landmark.
    <Modal.Root opened onClose={onClose} transitionProps={{ duration: 0 }} centered>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body className={classes.body}>
          <Modal.Title className={classes.title}>{shortcuts.title}</Modal.Title>
          {(['everywhere', 'list', 'request', 'together'] as const).map((place) => (
            <section key={place}>
              <h2 className={classes.place}>{shortcuts[place]}</h2>
              <KeyList keys={shortcuts.keys[place]} />
            </section>
          ))}
          <Switch
            label={shortcuts.turn}
            description={shortcuts.turnNote}
            checked={isOn}
            onChange={(event) => setIsOn(event.currentTarget.checked)}
          />
          <Button variant="default" onClick={onClose} data-autofocus>
            {shortcuts.close}
          </Button>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function KeyList({ keys }: { keys: { keys: string[]; does: string; isSequence?: boolean }[] }) {
  return (
    <dl className={classes.keys}>
      {keys.map((entry) => (
        <Fragment key={entry.does}>
          <dt>
            {entry.keys.map((key, at) => (
              <Fragment key={key}>
                {at > 0 && ` ${entry.isSequence ? shortcuts.andThen : shortcuts.or} `}
                <kbd className={classes.key}>{key}</kbd>
              </Fragment>
            ))}
          </dt>
          <dd>{entry.does}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
