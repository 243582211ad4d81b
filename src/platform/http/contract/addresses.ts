/** Where people come in who have no session. */
export const entrances = ['/signin', '/setup', '/password', '/second-factor'] as const;

/** Every address at which the console has a page; the server sends it there, and the console shows it. */
export const consoleAddresses = [
  '/',
  ...entrances,
  '/start',
  '/account',
  '/inbox',
  '/inbox/together',
  '/inbox/decline',
  '/history',
  '/insights',
  '/requests/:id',
  '/settings',
  '/settings/people',
  '/settings/people/new',
  '/settings/people/:id',
  '/settings/groups',
  '/settings/groups/:id',
  '/settings/spaces',
  '/settings/spaces/:id',
  '/settings/roles',
  '/settings/roles/:id',
  '/settings/absences',
  '/settings/overrides',
  '/settings/look-back',
  '/settings/grants',
  '/settings/stops',
  '/settings/servers',
  '/settings/workloads',
  '/settings/system',
  '/settings/webhooks',
  '/settings/servers/:id',
  '/new-policy',
  '/policies',
  '/policies/:name',
  '/policies/:name/edit',
  '/audit',
  '/audit/holds',
  '/audit/log',
  '/audit/requests/:id',
  '/audit/:question',
] as const;

export const inboxViews = ['mine', 'all', 'done'] as const;

export const inboxOrders = ['deadline', 'risk', 'newest'] as const;

/** How many characters a filter may have at most. */
export const maxFilterLengths = { q: 200, server: 128, tool: 128, policy: 128, group: 128, requester: 800 } as const;

/** The last moment that a date can hold. */
export const lastMoment = 8_640_000_000_000_000;
