import { useEffect, type RefObject } from 'react';

/**
 * Tells the page how high the sheet at its bottom is, so that the end of the page and what takes the focus stay in
 * sight above it. Next to the text there is no sheet, and the height is none.
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
