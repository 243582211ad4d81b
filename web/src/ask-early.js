// Stands in the page itself, before all other scripts: sends at once the requests that the page of this address will make.
// api/call-api.ts gives each answer to the first call for it.
{
  const { pathname, search } = location;
  const request = /^\/requests\/([\w-]+)$/.exec(pathname)?.[1];
  const paths = /^\/(?:setup|password)$/.test(pathname) ? [] : ['/api/session'];
  if (pathname === '/signin') paths.unshift('/api/sign-in');
  if (/^\/(?:inbox)?$/.test(pathname) && search === '') paths.push('/api/elicitations?view=mine&limit=50');
  if (request) paths.push(`/api/elicitations/${request}`, `/api/elicitations/${request}/differences`);
  const init = { headers: { accept: 'application/json' }, cache: 'no-store', redirect: 'error' };
  const early = (globalThis.early = new Map());
  for (const path of paths) {
    // Arrival time of the answer, to compare the clocks of server and device.
    const response = fetch(path, init).then((answer) => Object.assign(answer, { arrivedAt: Date.now() }));
    response.catch(() => {});
    early.set(path, response);
  }
  // Keeps zod from testing for eval, which the content security policy would report.
  globalThis.__zod_globalConfig = { jitless: true };
  // By then an unused answer is old.
  setTimeout(() => early.clear(), 10_000);
}
