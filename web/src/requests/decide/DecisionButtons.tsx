import {
  useId,
  type ReactNode,
  useLayoutEffect,
  useRef,
  useEffect,
  useEffectEvent,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
} from 'react';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { colon } from '../../language/words/words.ts';
import { Cross, Tick } from '../../ui/icons.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import { ReasonedButton, useKeptFocus } from '../../ui/ReasonedButton.tsx';
import type { DecisionState } from './use-decision.ts';
import { useComparison } from './MoreSteps.tsx';
import { shortestAllowed } from './grant-terms.ts';
import { decide as words } from './words/words.ts';
import classes from './DecisionButtons.module.css';
import { Button } from '@mantine/core';
import type { Permission } from '../../people/roles/permission-table.ts';
import type { Left } from './words/later-words.ts';
import approveButtonClasses from './ApproveButton.module.css';
import type { ShownStage } from '#requests/voting/contract/stages';
import { useAnnounce } from '../../shell/announcer.tsx';

/** Two buttons to vote, side by side, with their effects. */
export function DecisionButtons({ detail, decision }: { detail: ElicitationDetail; decision: DecisionState }) {
  const { may, sending, decide, answer, votesFor } = decision;
  const allowFor = decision.allowFor === null ? null : shortestAllowed(detail, decision.allowFor);
  const isMoved = useMoved(detail);
  const id = useId();
  const approve = answer.form.isBroken ? { allowed: false, reason: words.formBroken } : may.approve;
  const isRisky = detail.risk === 'high';
  const isSame = approve.reason === may.decline.reason;
  return (
    <>
      <dl className={classes.consequences} aria-label={words.before}>
        <Consequence verb={words.approveWord} does={words.approves(detail.progress, allowFor)}>
          {isRisky && approve.allowed && ` ${words.final}`}
          {detail.signing?.isReady && approve.allowed && (
            <>
              {' '}
              <Revealed text={words.signs(detail.tool.name)} />
            </>
          )}
        </Consequence>
        <Consequence verb={words.decline} does={words.declines(endsByOneRefusal(detail.stages))} />
      </dl>
      <div className={classes.buttons}>
        <ApproveButton
          for={votesFor?.name ?? null}
          isRisky={isRisky}
          isSigned={detail.signing !== null}
          isMoved={isMoved}
          permission={approve}
          reasonId={`${id}-approve`}
          isSending={sending === 'approve'}
          left={decision.left}
          onApprove={() => decide('approve')}
        />
        <span data-verb="decline">
          <ReasonedButton
            permission={may.decline}
            reasonId={isSame ? `${id}-approve` : `${id}-decline`}
            isSending={sending === 'decline'}
            icon={<Cross />}
            onPress={() => decide('decline')}
          >
            {words.decline}
          </ReasonedButton>
        </span>
      </div>
      {approve.reason !== null && decision.left === null && (
        <p id={`${id}-approve`} className={classes.reason}>
          {!isSame && (
            <b>
              {words.approveWord}
              {colon}{' '}
            </b>
          )}
          {approve.reason}
        </p>
      )}
      {may.decline.reason !== null && !isSame && (
        <p id={`${id}-decline`} className={classes.reason}>
          <b>
            {words.decline}
            {colon}{' '}
          </b>
          {may.decline.reason}
        </p>
      )}
    </>
  );
}

/** Are there signals or earlier values in the card by now? */
function useMoved(detail: ElicitationDetail): boolean {
  const comparison = useComparison(detail);
  return comparison !== null && comparison.signals.length + comparison.differences.length > 0;
}

const Consequence = ({ verb, does, children }: { verb: string; does: string; children?: ReactNode }) => (
  <div>
    <dt>{verb}</dt>{' '}
    <dd>
      {does}
      {children}
    </dd>
  </div>
);

interface ApproveButtonProps {
  /** The person of the vote, if not oneself. */
  for: string | null;
  isRisky: boolean;
  /** Set if a passkey signs it. */
  isSigned: boolean;
  /** Set if something above it appeared after the first paint. */
  isMoved: boolean;
  permission: Permission;
  /** The missing step: the button names it, and leads there. */
  left: Left | null;
  reasonId: string;
  isSending: boolean;
  onApprove: () => void;
}

/** The one action of the page in the accent colour. A risky one is held, or its key is pressed twice. */
function ApproveButton(props: ApproveButtonProps) {
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
      classNames={{
        root: approveButtonClasses.root,
        inner: approveButtonClasses.inner,
        label: approveButtonClasses.label,
      }}
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
          <span className={approveButtonClasses.hint}>
            <Revealed text={hint} />
          </span>
        )}
      </span>
    </Button>
  );
}

/** Hint after a press, also after a tap that was too short. */
const hintOf = ({ isArmed, isShort }: ReturnType<typeof useHold>): string =>
  isArmed ? words.pressAgain : isShort ? words.keepHolding : words.hold;

/** Milliseconds in which a press already under way is ignored. */
const guardTime = 400;

/** Has the button been enabled, or in its place, for too short a time for a deliberate press? */
function useGuard(isReady: boolean, isMoved: boolean): () => boolean {
  const since = useRef(0);
  useLayoutEffect(() => {
    since.current = performance.now();
  }, [isReady, isMoved]);
  return () => performance.now() - since.current < guardTime;
}

/** Does one more refusal end the request, no matter who in the stage refuses? */
export function endsByOneRefusal(stages: ShownStage[]): boolean {
  const current = stages.find(({ state }) => state === 'current');
  if (current === undefined) return true;
  const isNear = current.groups.every(({ deny, refusals }) => deny - refusals <= 1);
  // If one complete group is enough, another group may still be complete.
  return isNear && (current.complete === 'all' || current.groups.length === 1);
}

/** Time to hold in milliseconds; the same for finger, mouse and key. */
const holdTime = 1_000;

/** Makes a button wait until it is held, or its key is pressed twice. */
function useHold(onDecided: () => void) {
  const [press, setPress] = useState(atRest);
  const [isShort, setIsShort] = useState(false);
  const announce = useAnnounce();
  const take = (event: PressEvent) => {
    const { isDecided, ...next } = pressHold(press, event);
    setPress(next);
    setIsShort(event === 'let-go' && press.by === 'pointer');
    if (next.isArmed && !press.isArmed) announce(words.pressAgain);
    if (event === 'let-go' && press.by === 'pointer') announce(words.keepHolding);
    if (isDecided) onDecided();
  };
  const onFull = useEffectEvent(() => take('full'));
  useEffect(() => {
    if (press.by === null) return;
    const timer = setTimeout(onFull, holdTime);
    return () => clearTimeout(timer);
  }, [press.by]);
  const handlers = {
    onPointerDown: ({ button }: PointerEvent) => button === 0 && take('pointer-down'),
    onPointerUp: () => press.by === 'pointer' && take('let-go'),
    onPointerLeave: () => press.by === 'pointer' && take('leave'),
    onPointerCancel: () => press.by === 'pointer' && take('leave'),
    onBlur: () => take('leave'),
    // A long touch would open the browser's menu over the button.
    onContextMenu: (event: MouseEvent) => event.preventDefault(),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Escape') return take('leave');
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      if (!event.repeat) take('key-down');
    },
    onKeyUp: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      if (press.by === 'key') take('let-go');
    },
    // A click of a pointer follows its release, and is ignored.
    onClick: ({ detail }: MouseEvent) => detail === 0 && take('click'),
  };
  return { handlers, isHeld: press.by !== null, isArmed: press.isArmed, isShort };
}

/** State of a button that is held, or whose key is pressed twice. */
interface Press {
  /** Current holder. */
  by: 'pointer' | 'key' | null;
  /** Set after the first press of its key. */
  isArmed: boolean;
}

export type PressEvent = 'pointer-down' | 'key-down' | 'let-go' | 'full' | 'leave' | 'click';

export const atRest: Press = { by: null, isArmed: false };

/** Decides only after the full time, or with the second press of its key. A short tap or click never decides. */
export function pressHold(press: Press, event: PressEvent): Press & { isDecided: boolean } {
  const decided = { ...atRest, isDecided: true };
  switch (event) {
    case 'pointer-down':
      return { by: 'pointer', isArmed: false, isDecided: false };
    case 'key-down':
      return press.isArmed ? decided : { by: 'key', isArmed: false, isDecided: false };
    // Screen readers and switches click without a pointer or a key: each click is a press.
    case 'click':
      return press.isArmed ? decided : { by: null, isArmed: true, isDecided: false };
    case 'let-go':
      return { by: null, isArmed: press.by === 'key', isDecided: false };
    case 'full':
      return press.by === null ? { ...press, isDecided: false } : decided;
    case 'leave':
      return { ...atRest, isDecided: false };
  }
}
