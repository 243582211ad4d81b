import { useMemo, useState } from 'react';
import type { ElicitationDetail } from '../../../../../src/contract/console/console.ts';
import { isLongValue, layOutArguments } from '../../../lib/argument-rows.ts';
import { isClosed } from '../../../../../src/model/elicitation.ts';
import { useSecondsLeft } from './use-seconds-left.ts';

/** What the person has seen of the request so far: which version, and which long values. */
export function useReading(detail: ElicitationDetail) {
  const [read, setRead] = useState(detail);
  const [opened, setOpened] = useState<{ digest: string; paths: ReadonlySet<string> }>(nothing);
  const long = useMemo(() => longPaths(detail.arguments), [detail.arguments]);
  const shown = useShown(detail);
  const paths = opened.digest === detail.digest ? opened.paths : nothing.paths;
  return {
    read,
    opened: paths,
    token: shown.token,
    secondsLeft: useSecondsLeft(shown.readyAt),
    pauseLeft: useSecondsLeft(detail.pausedUntil ?? 0),
    unopened: long.filter((path) => !paths.has(path)).length,
    isChanged: read.digest !== detail.digest && !isClosed(detail.status),
    openValue: (path: string) => setOpened({ digest: detail.digest, paths: new Set([...paths, path]) }),
    confirm: (now = detail) => setRead(now),
  };
}

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
  readyAt: reading === null ? 0 : Date.now() + reading.time,
});

export type Reading = ReturnType<typeof useReading>;

const nothing = { digest: '', paths: new Set<string>() };

/** Where the long values are; the root's path is empty. */
function longPaths(json: string): string[] {
  const rows = layOutArguments(json);
  if (rows === null) return isLongValue(json) ? [''] : [];
  return rows.filter(({ kind, value }) => kind === 'text' && isLongValue(value)).map(({ path }) => path);
}
