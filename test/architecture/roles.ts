/** The roles of files, the lowest first. A file may import lower roles of any subject, and its own where no circle arises. */
export const roles = [
  'contract', // what crosses the wire, and the words of the subject
  'rules', // pure decisions
  'means', // what the platform brings: settings, processes, the embedded database
  'store', // SQL
  'verbs', // what people and programs do
  'channel', // how news leave the house
  'routes', // HTTP
  'loops', // work without a caller
  'wiring', // what puts the parts of a node together
  'command', // the command line
  'main',
] as const;
export type Role = (typeof roles)[number];

/** Folders whose files all have one role, so that neither folder nor file is named after it. */
const folders: Record<string, Role> = {
  'platform/model': 'contract',
  'platform/text': 'contract',
  'platform/form': 'contract',
  messages: 'contract',
  locales: 'contract',
  'gateway/known-tools': 'contract',
  'connect/providers': 'contract',
  'platform/crypto': 'rules',
  'platform/http/client': 'rules',
  'platform/bearer': 'rules',
  'policies/terms': 'rules',
  'platform/config': 'means',
  'platform/embedded': 'means',
  'platform/process': 'means',
  'platform/database': 'store',
  'notify/mail/words': 'channel',
  'notify/chat/msteams': 'channel',
  'notify/chat/pagerduty': 'channel',
  'notify/chat/slack': 'channel',
  server: 'wiring',
  'cli/main': 'main',
  cli: 'command',
};

/** What stands before a node: programs of other machines, which see the contract and no store or verb. */
const outside = ['sdk', 'gateway'];

/** The role of a file of src, by its folder or name: `people/roles/verbs.ts`, `people/users/store/users.ts`. */
export function roleOf(file: string): Role | 'sdk' | 'gateway' | undefined {
  const parts = file.replace(/\.ts$/, '').split('/');
  const whole = Object.keys(folders).find((folder) => file.startsWith(`${folder}/`) || file === `${folder}.ts`);
  if (whole !== undefined) return folders[whole];
  const named = parts.slice(1).find((part) => part === 'operator' || (roles as readonly string[]).includes(part));
  if (named === 'operator') return 'wiring';
  if (named !== undefined) return named as Role;
  return outside.includes(parts[0] ?? '') ? (parts[0] as 'sdk' | 'gateway') : undefined;
}

/** May a file import another, as far as their roles say? */
export function mayImport(from: string, to: string): boolean {
  const [own, other] = [roleOf(from), roleOf(to)];
  if (own === undefined || other === undefined) return false;
  if (own === 'sdk') return other === 'sdk' || other === 'contract';
  if (own === 'gateway')
    return ['gateway', 'sdk', 'contract'].includes(other) || /^platform\/(crypto|bearer)\//.test(to);
  if (other === 'sdk' || other === 'gateway') return own === 'command' || own === 'main';
  return roles.indexOf(other) <= roles.indexOf(own);
}
