import { useLayoutEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** A page that a link or a key opens begins at its top; the browser itself knows where one goes back to. */
export function usePageTop(): void {
  const { pathname, hash } = useLocation();
  const isBack = useNavigationType() === 'POP';
  useLayoutEffect(() => {
    if (!isBack && hash === '') window.scrollTo(0, 0);
  }, [pathname]); // filters change the search alone, and do not move the page
}
