interface ListParts {
  list: HTMLElement | null;
  bar: HTMLElement | null;
  /** The request that is open next to the list. */
  openId: string | undefined;
}

/**
 * What has the focus is meant, or the request that stands open: `o` opens it as Enter would, or goes to it, `x` selects
 * it, and `X` all from the last selected one to it. The open request goes on through its queue by itself.
 */
export function pressListKey(key: string, { list, bar, openId }: ListParts): boolean {
  const links = [...(list?.querySelectorAll<HTMLAnchorElement>('a[data-row]') ?? [])];
  const isMeant = (link: HTMLElement): boolean =>
    openId === undefined ? link === document.activeElement : link.dataset['row'] === openId;
  const at = links.findIndex(isMeant);
  if (openId === undefined && (key === 'j' || key === 'n')) links[Math.min(at + 1, links.length - 1)]?.focus();
  else if (openId === undefined && key === 'k') links[Math.max(at - 1, 0)]?.focus();
  else if (key === 'o' && openId === undefined) links[at]?.click();
  else if (key === 'o') goToRequest();
  else if (key === 'x' || key === 'X') pressCheckbox(links[at], key === 'X');
  else if (key === '/') bar?.querySelector('input')?.focus();
  else return false;
  return true;
}

const goToRequest = (): void => document.querySelector<HTMLElement>('[data-request] h1')?.focus();

/** As a click with or without Shift would; what cannot be selected stays as it is. */
function pressCheckbox(link: HTMLElement | undefined, shiftKey: boolean): void {
  const checkbox = link?.closest('li')?.querySelector('input[type=checkbox]:enabled');
  checkbox?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey }));
}
