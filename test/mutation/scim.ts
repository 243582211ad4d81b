import { faultsOf, type Fault } from './fault.ts';

const security = ['test/access/scim/scim-security.test.ts'];
const power = ['test/access/scim/provisioning/power.test.ts'];
const races = ['test/access/scim/provisioning/races.test.ts'];
const clients = ['test/access/scim/provisioning/clients.test.ts'];
const groups = ['test/access/scim/scim-groups.test.ts'];
const leaver = ['test/access/scim/scim-leaver.test.ts'];

/** In what an identity provider may do with its token, and in whom it reaches. */
export const scimFaults: Fault[] = [
  ...faultsOf('src/access/scim/verbs/users.ts', security, [
    ['subjects.includes(nameAt(identity)),', 'true,'],
    ['if (owners.length > 1) throw conflict();', ''],
    ['if (isEnabling) assertMayEnable(provisioner, directory, person);', ''],
    ['if (isMoved) assertMayMove(provisioner, directory, person, user.email);', ''],
    ['assertOwnDomain(provisioner, user.email);', ''],
    ['person.provisioned.issuer !== by.issuer ||', ''],
  ]),
  ...faultsOf('src/access/scim/verbs/users.ts', power, [
    ['assertSamePerson(provisioner, directory, person, user);', ''],
    ['|| isInSpace;', ';'],
    ['|| isTrusted(directory, person)', ''],
    ['?? person.disabledAt === null', '?? true'],
  ]),
  ...faultsOf('src/access/scim/verbs/tokens.ts', races, [[', also: scimTokens.unrevoked(token.kid) }', ' }']]),
  ...faultsOf('src/access/scim/verbs/tokens.ts', security, [
    ['|| !equalBytes(token.hash, read.hash)', ''],
    ['|| settings.issuer !== token.issuer', ''],
  ]),
  ...faultsOf('src/access/scim/verbs/users.ts', security, [
    ["if (![after['emails']].flat()[maxAddresses]) return", 'return'],
  ]),
  ...faultsOf('src/access/scim/verbs/users.ts', clients, [
    ["return name === 'emails' ? small : value;", 'return value;'],
    ['at !== last && isPrimary(item)', 'false'],
  ]),
  ...faultsOf('src/access/scim/verbs/attributes.ts', clients, [
    ['compared.test(path) ? `${path}.value` : path', 'path'],
  ]),
  ...faultsOf('src/access/scim/verbs/users.ts', security, [
    ['user.provisioned?.issuer === issuer && user.provisioned.deletedAt === null;', 'user.provisioned !== null;'],
  ]),
  ...faultsOf('src/access/scim/verbs/groups.ts', groups, [
    ['await assertNameNotWanted(engine, name);', ''],
    ['await assertNoNamesOfPolicies(engine, early.group.id, earlyNext.name);', ''],
    ['group.provisioned?.issuer === issuer;', 'group.provisioned !== null;'],
  ]),
  ...faultsOf('src/people/users/verbs.ts', power, [['provisioned?.disabledAt === disabledAt ?', 'false ?']]),
  ...faultsOf('src/people/users/verbs.ts', leaver, [
    ['...(changes.disabled && { also: endPasskeys(passkeys, by, id, at) }),', ''],
  ]),
];
