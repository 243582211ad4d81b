import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { useLocation } from 'react-router';
import classes from './LineNav.module.css';

interface LineNavProps {
  label: string;
  className: string;
  children: ReactNode;
}

/** Links in one line, which scrolls on a phone: the current one is in sight, and an end that continues fades. */
export function LineNav({ label, className, children }: LineNavProps) {
  const line = useScrolledLine();
  return (
    <nav ref={line} aria-label={label} className={`${classes.line} ${className}`}>
      {children}
    </nav>
  );
}

function useScrolledLine(): RefObject<HTMLElement | null> {
  const line = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    const { current } = line;
    if (!current) return;
    const mark = () => {
      current.dataset.cut = cutEnds(current).join(' ');
    };
    const settle = () => {
      const link = current.querySelector<HTMLElement>('[aria-current]');
      if (link) current.scrollLeft = link.offsetLeft - (current.clientWidth - link.offsetWidth) / 2;
      mark();
    };
    const observer = new ResizeObserver(settle); // also when a font arrives
    for (const part of [current, ...current.children]) observer.observe(part);
    current.addEventListener('scroll', mark, { passive: true });
    return () => {
      observer.disconnect();
      current.removeEventListener('scroll', mark);
    };
  }, [pathname]);
  return line;
}

function cutEnds({ scrollLeft, scrollWidth, clientWidth }: HTMLElement): string[] {
  const hidden = scrollWidth - clientWidth - scrollLeft;
  return [...(scrollLeft > 1 ? ['start'] : []), ...(hidden > 1 ? ['end'] : [])];
}
