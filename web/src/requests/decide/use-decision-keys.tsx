import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { useAnnounce } from '../../shell/announcer.tsx';
import { useHotkeys } from '../../shell/use-hotkeys.tsx';
import { focusVerb } from './PolicySection.tsx';
import { type DecisionState } from './use-decision.ts';
import { decide as words } from './words/words.ts';
import type { Risk } from '#requests/asking/contract/elicitation';

/** Handles keys of decisions; returns the question that waits for its confirming key, or null. */
export function useDecisionKeys(
  { risk, tool }: ElicitationDetail,
  { may, left, decide }: DecisionState,
): string | null {
  const [armed, setArmed] = useState<KeyedDecision | null>(null);
  const announce = useAnnounce();
  const question = (verb: KeyedDecision) =>
    words.armed(verb === 'approve' ? words.approve(tool.title ?? tool.name) : words.decline);
  useHotkeys('request', (key) => {
    if (key === 'a' && left !== null) {
      setArmed(null);
      decide('approve');
      return true;
    }
    const limits = { risk, mayApprove: may.approve.allowed, mayDecline: may.decline.allowed };
    const step = pressDecisionKey(armed, key, limits);
    setArmed(step.armed);
    if (step.decided !== null) decide(step.decided);
    if (step.armed !== null) announce(question(step.armed));
    if (step.focused !== null) focusVerb(step.focused);
    return step.armed !== null || step.decided !== null || step.focused !== null;
  });
  useDisarmedByOthers(armed !== null, () => setArmed(null));
  return armed === null ? null : question(armed);
}

/** Disarms after a key used by another part, such as the list next to the request. */
function useDisarmedByOthers(isArmed: boolean, disarm: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => event.defaultPrevented && disarm());
  useEffect(() => {
    if (!isArmed) return;
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, [isArmed]);
}

/**
 * Tells the page the height of the sheet at its bottom, so that the end of the page and focused elements stay in sight above
 * it. Next to the text there is no sheet, and the height is none.
 */
export function useSheetHeight(sheet: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = document.documentElement;
    const tell = () => {
      const isFixed = sheet.current !== null && getComputedStyle(sheet.current).position === 'fixed';
      root.style.setProperty('--sheet', isFixed ? `${sheet.current?.offsetHeight ?? 0}px` : '0px');
    };
    const observer = new ResizeObserver(tell);
    if (sheet.current !== null) observer.observe(sheet.current);
    addEventListener('resize', tell);
    return () => {
      observer.disconnect();
      removeEventListener('resize', tell);
      root.style.removeProperty('--sheet');
    };
  }, [sheet]);
}

type KeyedDecision = 'approve' | 'decline';

interface KeyStep {
  /** Decision waiting for its second key. */
  armed: KeyedDecision | null;
  /** Decision confirmed by this key. */
  decided: KeyedDecision | null;
  /** Button that gets the focus: at high risk, letters decide nothing. */
  focused: KeyedDecision | null;
}

interface KeyLimits {
  risk: Risk;
  mayApprove: boolean;
  mayDecline: boolean;
}

/** One key never decides: `a` or `d` arms, `y` confirms, anything else disarms. At high risk they only lead to the button. */
export function pressDecisionKey(armed: KeyedDecision | null, key: string, limits: KeyLimits): KeyStep {
  if (key === 'y' && armed !== null) return { ...idle, decided: armed };
  const verb = key === 'a' && limits.mayApprove ? 'approve' : key === 'd' && limits.mayDecline ? 'decline' : null;
  return limits.risk === 'high' ? { ...idle, focused: verb } : { ...idle, armed: verb };
}

const idle: KeyStep = { armed: null, decided: null, focused: null };
