// Stands in the page itself, before all other scripts: asks at once for what the page of this address will ask for when
// its code has come. api/call-api.ts gives each answer to the first that asks.
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
    // The clock of the server is compared with that of the device at the moment when its answer came.
    const response = fetch(path, init).then((answer) => Object.assign(answer, { arrivedAt: Date.now() }));
    response.catch(() => {});
    early.set(path, response);
  }
  // zod would otherwise try whether it may make code from text, which the content security policy reports.
  globalThis.__zod_globalConfig = { jitless: true };
  // By then an answer that no one has asked for is old.
  setTimeout(() => early.clear(), 10_000);
}
