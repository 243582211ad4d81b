import { createContext, use, type ReactNode, useCallback, useRef, useState } from 'react';

const AnnounceContext = createContext<(text: string) => void>(() => undefined);

/** Announces a sentence to screen readers without moving the focus. */
export const useAnnounce = (): ((text: string) => void) => use(AnnounceContext);

/** Holds the console's one polite live region, which must exist in the page before the first announcement. */
export function Announcer({ children, className }: { children: ReactNode; className: string | undefined }) {
  const [announcement, setSaid] = useState({ text: '', times: 0 });
  const times = useRef(0);
  const announce = useCallback((text: string) => {
    times.current += 1;
    setSaid({ text, times: times.current });
  }, []);
  return (
    <AnnounceContext value={announce}>
      {children}
      <div aria-live="polite" role="status" className={className}>
        {/* The key makes the same sentence heard again. */}
        <span key={announcement.times}>{announcement.text}</span>
      </div>
    </AnnounceContext>
  );
}
