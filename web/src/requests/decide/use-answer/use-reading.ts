import { useMemo, useState, useEffect } from 'react';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { isClosed } from '#requests/asking/contract/elicitation';
import { serverNow } from '../../../client/call-api.ts';
import { cardPart, partsToSee } from './parts-to-see.ts';

/** What the person has seen of the request so far: which version, which long values, and which of its parts. */
export function useReading(detail: ElicitationDetail) {
  const [read, setRead] = useState(detail);
  const [progress, setProgress] = useState(nothingOf(detail.digest));
  const { opened, seen } = progress.digest === detail.digest ? progress : nothingOf(detail.digest);
  const parts = useMemo(() => partsToSee(detail), [detail.digest]);
  const unread = parts.filter(({ id }) => !seen.has(id));
  const shown = useShown(detail);
  const change = (changes: Partial<Progress>) => setProgress({ digest: detail.digest, opened, seen, ...changes });
  return {
    read,
    /** Which long values stand open now. */
    opened,
    unread,
    isCardUnseen: !seen.has(cardPart),
    /** Which long values were opened and seen to their end, for the vote. */
    openedParts: parts.flatMap(({ id, opens }) => (opens !== undefined && seen.has(id) ? [opens] : [])),
    token: shown.token,
    secondsLeft: useSecondsLeft(shown.readyAt, elapsed),
    pauseLeft: useSecondsLeft(detail.pausedUntil ?? 0, serverNow),
    isChanged: read.digest !== detail.digest && !isClosed(detail.status),
    openValue: (path: string) => change({ opened: new Set([...opened, path]) }),
    closeValue: (path: string) => change({ opened: new Set([...opened].filter((other) => other !== path)) }),
    noteSeen: (ids: string[]) => change({ seen: new Set([...seen, ...ids]) }),
    confirm: (now = detail) => setRead(now),
  };
}

interface Progress {
  digest: string;
  opened: ReadonlySet<string>;
  seen: ReadonlySet<string>;
}

const nothingOf = (digest: string): Progress => ({ digest, opened: new Set(), seen: new Set() });

/** The first proof that these bytes were shown: with a later one, the time to read would begin again. */
function useShown(detail: ElicitationDetail) {
  const [shown, setShown] = useState(() => showingOf(detail));
  const isSame = shown.digest === detail.digest && (shown.token !== null || detail.reading === null);
  if (isSame) return shown;
  const first = showingOf(detail);
  setShown(first);
  return first;
}

const showingOf = ({ digest, reading }: ElicitationDetail) => ({
  digest,
  token: reading?.token ?? null,
  readyAt: reading === null ? 0 : elapsed() + reading.time,
});

/** Milliseconds that nothing corrects: the time to read passes however the clocks of device and server are set. */
const elapsed = (): number => performance.now();

export type Reading = ReturnType<typeof useReading>;

/** Whole seconds until this moment of the clock, 0 once it has come; redraws only while some are left. */
function useSecondsLeft(until: number, now: () => number): number {
  const [draws, redraw] = useState(0);
  const seconds = Math.max(0, Math.ceil((until - now()) / 1000));
  useEffect(() => {
    if (seconds === 0) return;
    const timer = setTimeout(() => redraw(draws + 1), Math.max(0, until - (seconds - 1) * 1000 - now()));
    return () => clearTimeout(timer);
  }, [until, now, seconds, draws]);
  return seconds;
}
