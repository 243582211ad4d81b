/** Does this lead to a page of the console, and nowhere else? */
export const isOwnPath = (path: string): boolean =>
  path.length <= 2000 && /^\/(?![/\\])/.test(path) && !/[\p{Cc}\\]/u.test(path);
