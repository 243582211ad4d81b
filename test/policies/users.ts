import type { Directory, DirectoryUser } from '#policies/document/rules/directory';
import type { Facts } from '#policies/document/rules/document';

/** Someone of the directory: an approver without a group, unless it says otherwise. */
export const user = (id: string, changes: Partial<DirectoryUser> = {}): DirectoryUser => ({
  id,
  email: `${id}@example.com`,
  name: `${id.charAt(0).toUpperCase()}${id.slice(1)}`,
  role: 'approver',
  groups: [],
  managerId: null,
  subjects: [],
  mayBreakGlass: false,
  ...changes,
});

/** These people, and the server bank, which is Olga's where she is among them. */
export const directoryOf = (...users: DirectoryUser[]): Directory => ({
  users,
  groups: [...new Set(users.flatMap(({ groups }) => groups))],
  servers: [{ name: 'bank', ownerId: users.find(({ id }) => id === 'olga')?.id ?? null }],
});

type Changes = Partial<Omit<Facts, 'request' | 'requester'>> & {
  request?: Partial<Facts['request']>;
  requester?: Partial<Facts['requester']>;
};

/** A transfer of 5,000 that Rita asks for through the server bank. */
export const factsOf = ({ request, requester, ...changes }: Changes = {}): Facts => ({
  request: {
    server: 'bank',
    tool: 'transfer',
    args: { amount: 5000, to: 'DE02' },
    risk: 'medium',
    annotations: {},
    mode: 'form',
    audience: null,
    reason: null,
    ...request,
  },
  requester: {
    subject: 'rita@example.com',
    issuer: null,
    verified: true,
    verifiedBy: null,
    email: null,
    groups: [],
    role: null,
    ...requester,
  },
  tool: { definition: null, reaches: null, fits: false },
  agent: { name: 'Claude', version: '1' },
  environment: { name: 'test' },
  defaults: { unknownTools: 'requester', requester: 'any', readingTime: 0 },
  now: Date.parse('2026-11-21T10:00:00Z'),
  answerable: true,
  ...changes,
});
