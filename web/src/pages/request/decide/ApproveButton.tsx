import { Button } from '@mantine/core';
import type { Permission } from '../../../lib/permission-table.ts';
import { Tick } from '../../../ui/icons.tsx';
import { Revealed } from '../../../ui/Revealed.tsx';
import { decide as words } from '../words/words.ts';
import classes from './ApproveButton.module.css';
import { useHold } from './use-hold.ts';

interface ApproveButtonProps {
  /** The person whose vote it is, if it is not one's own. */
  for: string | null;
  isRisky: boolean;
  permission: Permission;
  reasonId: string;
  isSending: boolean;
  onApprove: () => void;
}

/** The one action of the page in the accent colour. If it is risky, it is held, or its key is pressed twice. */
export function ApproveButton(props: ApproveButtonProps) {
  const { permission, reasonId, isSending, isRisky, onApprove } = props;
  const isOff = !permission.allowed;
  const hold = useHold(() => permission.allowed && onApprove());
  const handlers = isRisky ? hold.handlers : { onClick: onApprove };
  return (
    <Button
      variant="filled"
      classNames={{ root: classes.root, inner: classes.inner, label: classes.label }}
      leftSection={<Tick />}
      loading={isSending}
      data-verb="approve"
      data-held={isRisky && hold.isHeld}
      aria-disabled={isOff}
      {...(isOff ? { 'data-off': true, 'aria-describedby': reasonId } : handlers)}
    >
      <span>
        {words.approveWord}
        {props.for !== null && (
          <>
            {' '}
            <Revealed text={words.forSomeone(props.for)} />
          </>
        )}{' '}
        {isRisky && !isOff && <span className={classes.hint}>{hold.isArmed ? words.pressAgain : words.hold}</span>}
      </span>
    </Button>
  );
}
