import type { Permission } from '#people/directory/contract/permission';

const permissions: Record<Permission, string> = {
  decide: 'Decide the requests that policies assign to them',
  'tend-requests':
    'Withdraw requests that no one can read, end delegations of others, remove shared lists; who decides also takes back approvals and ends and extends requests of other stages',
  'watch-requests': 'Find every request, and read it after giving a reason',
  'read-log': 'Read the log, its reports and Insights',
  'change-directory': 'Change people, groups and owners of servers',
  'change-space': 'Change who has which role in a space',
  'read-tools': 'See the tools of servers',
  'change-keys': 'Create, rotate and revoke keys of servers',
  'change-webhooks': 'Change webhooks, and see how the system is',
  'stop-calls': 'Stop tools and servers, and lift stops',
  'write-policies': 'Write and review policies',
  'publish-policies': 'Publish reviewed policies',
  'hold-content': 'Place and release legal holds, and erase content',
};

const nameOf = (permission: string): string => permissions[permission as Permission] ?? permission;

/** The words of the roles that an installation makes. */
export const roles = {
  title: 'Roles',
  lead: 'Roles of your own, next to the built-in ones: what they permit applies everywhere. Accepting changes of power stays with administrators.',
  empty: 'No roles of your own',
  emptyNote: 'Everyone has one of the built-in roles.',
  name: 'Name',
  nameNote: 'Small letters, digits and dashes, such as key-keeper. It can’t be changed.',
  people: 'People',
  permits: (permitted: readonly string[]): string => `Permits: ${permitted.map(nameOf).join('; ')}.`,
  permissions: 'Permissions',
  permission: nameOf,
  newTitle: 'New role',
  create: 'Create the role',
  missing: 'Role not found',
  missingNote: 'No role with this ID exists.',
  count: (people: number): string => (people === 1 ? 'One person has this role.' : `${people} people have this role.`),
  editNote: 'Everyone with this role is affected at once.',
  save: 'Save',
  remove: 'Remove the role',
  removeNote: 'Give its people another role first, and change the policies that name it.',
  removeNow: (name: string): string => `Remove ${name}`,
  saved: 'Saved.',
  removed: 'Removed.',
};
