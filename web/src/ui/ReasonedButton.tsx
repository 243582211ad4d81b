import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useRef, type RefObject } from 'react';
import type { Permission } from '../people/roles/permission-table.ts';
import page from './Page.module.css';
import classes from './ReasonedButton.module.css';

interface ReasonedButtonProps {
  permission: Permission;
  /** Id of the element with the reason. */
  reasonId: string;
  isSending?: boolean;
  /** Set for an act that is no decision. */
  isQuiet?: boolean;
  /** Set for the main act of the page, once on a page. */
  isPrimary?: boolean;
  icon?: ReactNode;
  onPress: () => void;
  children: ReactNode;
}

/** Props of a button that everyone may press. */
export const allowed = { permission: { allowed: true, reason: null }, reasonId: '' };

/** Button that stays reachable when disabled, so that everyone can learn why. */
export function ReasonedButton({
  permission,
  reasonId,
  isSending,
  isQuiet,
  isPrimary,
  icon,
  onPress,
  children,
}: ReasonedButtonProps) {
  const isOff = !permission.allowed;
  const button = useKeptFocus(isSending === true);
  return (
    <Button
      ref={button}
      variant={isPrimary === true && !isOff ? 'filled' : 'default'}
      classNames={{ root: classes.root, inner: classes.inner, label: classes.label }}
      leftSection={icon}
      loading={isSending === true}
      aria-disabled={isOff}
      data-quiet={isQuiet === true}
      {...(isOff && { 'data-off': true, 'aria-describedby': reasonId })}
      onClick={() => !isOff && onPress()}
    >
      <span>{children}</span>
    </Button>
  );
}

interface ReasonProps {
  id: string;
  permission: Permission;
  className?: string | undefined;
}

/** Reason why it may not be pressed, visible to everyone; nothing if it may. */
export function Reason({ id, permission: { reason }, className = page.reason }: ReasonProps) {
  if (reason === null) return null;
  return (
    <p id={id} className={className}>
      {reason}
    </p>
  );
}

/** Returns the focus to a button that lost it while sending, if nothing else took it. */
export function useKeptFocus(isSending: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const wasSending = useRef(false);
  useEffect(() => {
    if (wasSending.current && !isSending && document.activeElement === document.body)
      button.current?.focus({ preventScroll: true });
    wasSending.current = isSending;
  }, [isSending]);
  return button;
}
