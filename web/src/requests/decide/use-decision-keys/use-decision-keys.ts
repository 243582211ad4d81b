import { useEffect, useEffectEvent, useState } from 'react';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { useAnnounce } from '../../../shell/use-hotkeys/announcer.tsx';
import { pressDecisionKey, type KeyedDecision } from './decision-keys.ts';
import { useHotkeys } from '../../../shell/use-hotkeys/use-hotkeys.tsx';
import { focusVerb } from '../request-path/focus-verb.ts';
import type { DecisionState } from '../use-decision/use-decision.ts';
import { decide as words } from '../words/words.ts';

/** The question that waits for its confirming key; null while none does. */
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

/** A key that something else has used, such as the list next to the request, is no confirmation either. */
function useDisarmedByOthers(isArmed: boolean, disarm: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => event.defaultPrevented && disarm());
  useEffect(() => {
    if (!isArmed) return;
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, [isArmed]);
}
