import { useEffect, useRef, type RefObject } from 'react';

/** A button that is off while it sends loses the focus; it has it again if nothing else took it. */
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
