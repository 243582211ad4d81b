import { useLayoutEffect, useRef } from 'react';
import { Button } from '@mantine/core';
import type { Permission } from '../../../people/roles/permission-table.ts';
import { Tick } from '../../../ui/icons.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import { useKeptFocus } from '../../../ui/ReasonedButton/use-kept-focus.ts';
import type { Left } from '../words/later-words/left.ts';
import { decide as words } from '../words/words.ts';
import classes from '../ApproveButton.module.css';
import { useHold } from './use-hold.ts';

interface ApproveButtonProps {
  /** The person whose vote it is, if it is not one's own. */
  for: string | null;
  isRisky: boolean;
  /** A passkey signs it. */
  isSigned: boolean;
  /** Something above it came after the first paint. */
  isMoved: boolean;
  permission: Permission;
  /** What has to be done first: the button says it, and leads there. */
  left: Left | null;
  reasonId: string;
  isSending: boolean;
  onApprove: () => void;
}

/** The one action of the page in the accent colour. If it is risky, it is held, or its key is pressed twice. */
export function ApproveButton(props: ApproveButtonProps) {
  const { permission, left, reasonId, isSending, isRisky, isSigned, onApprove } = props;
  const isOff = !permission.allowed && left === null;
  const isHeldDown = isRisky && left === null;
  const hold = useHold(() => permission.allowed && onApprove());
  const isGuarded = useGuard(permission.allowed && left === null, props.isMoved);
  const click = { onClick: () => (left !== null || !isGuarded()) && onApprove() };
  const button = useKeptFocus(isSending);
  const usual = isSigned && !isOff ? words.sign : null;
  const hint = left !== null ? words.left(left) : isRisky && !isOff ? hintOf(hold) : usual;
  return (
    <Button
      ref={button}
      variant="filled"
      classNames={{ root: classes.root, inner: classes.inner, label: classes.label }}
      leftSection={<Tick />}
      loading={isSending}
      data-verb="approve"
      data-held={isHeldDown && hold.isHeld}
      data-left={left?.kind}
      data-short={isHeldDown && hold.isShort}
      aria-disabled={isOff}
      {...(isOff ? { 'data-off': true, 'aria-describedby': reasonId } : isHeldDown ? hold.handlers : click)}
    >
      <span>
        {words.approveWord}
        {props.for !== null && (
          <>
            {' '}
            <Revealed text={words.forSomeone(props.for)} />
          </>
        )}{' '}
        {hint !== null && (
          <span className={classes.hint}>
            <Revealed text={hint} />
          </span>
        )}
      </span>
    </Button>
  );
}

/** A tap that was too short is answered as well. */
const hintOf = ({ isArmed, isShort }: ReturnType<typeof useHold>): string =>
  isArmed ? words.pressAgain : isShort ? words.keepHolding : words.hold;

/** Milliseconds in which a finger that was already on its way is taken for no decision. */
const guardTime = 400;

/** Whether the button can be pressed, or has stood in its place, for too short a time for anyone to have meant it. */
function useGuard(isReady: boolean, isMoved: boolean): () => boolean {
  const since = useRef(0);
  useLayoutEffect(() => {
    since.current = performance.now();
  }, [isReady, isMoved]);
  return () => performance.now() - since.current < guardTime;
}
