import { faultsOf, type Fault } from './fault.ts';

const security = ['test/api/users/scim-security.test.ts'];
const power = ['test/api/users/provisioning/power.test.ts'];
const races = ['test/api/users/provisioning/races.test.ts'];
const clients = ['test/api/users/provisioning/clients.test.ts'];
const groups = ['test/api/users/scim-groups.test.ts'];
const leaver = ['test/api/users/scim-leaver.test.ts'];

/** In what an identity provider may do with its token, and in whom it reaches. */
export const scimFaults: Fault[] = [
  ...faultsOf('src/server/engine/users/provisioning/internal/decide-user.ts', security, [
    ['subjects.includes(nameAt(identity)),', 'true,'],
    ['if (owners.length > 1) throw conflict();', ''],
    ['if (isEnabling) assertMayEnable(provisioner, directory, person);', ''],
    ['if (isMoved) assertMayMove(provisioner, directory, person, user.email);', ''],
    ['assertOwnDomain(provisioner, user.email);', ''],
    ['person.provisioned.issuer !== by.issuer ||', ''],
  ]),
  ...faultsOf('src/server/engine/users/provisioning/internal/decide-user.ts', power, [
    ['assertSamePerson(provisioner, directory, person, user);', ''],
    ['|| isInSpace;', ';'],
    ['|| isTrusted(directory, person)', ''],
    ['?? person.disabledAt === null', '?? true'],
  ]),
  ...faultsOf('src/server/engine/users/provisioning/scim-tokens.ts', races, [
    [', also: scimTokens.unrevoked(token.kid) }', ' }'],
  ]),
  ...faultsOf('src/server/engine/users/provisioning/scim-tokens.ts', security, [
    ['|| !equalBytes(token.hash, read.hash)', ''],
    ['|| settings.issuer !== token.issuer', ''],
  ]),
  ...faultsOf('src/server/engine/users/provisioning/internal/patch.ts', security, [
    ["if (![after['emails']].flat()[maxAddresses]) return", 'return'],
  ]),
  ...faultsOf('src/server/engine/users/provisioning/internal/patch.ts', clients, [
    ["return name === 'emails' ? small : value;", 'return value;'],
    ['at !== last && isPrimary(item)', 'false'],
  ]),
  ...faultsOf('src/server/engine/users/provisioning/list.ts', clients, [
    ['compared.test(path) ? `${path}.value` : path', 'path'],
  ]),
  ...faultsOf('src/server/engine/users/internal/provisioned.ts', security, [
    ['user.provisioned?.issuer === issuer && user.provisioned.deletedAt === null;', 'user.provisioned !== null;'],
  ]),
  ...faultsOf('src/server/engine/users/provisioning/provision-groups.ts', groups, [
    ['await assertNameNotWanted(engine, name);', ''],
    ['await assertNoNamesOfPolicies(engine, early.group.id, earlyNext.name);', ''],
    ['group.provisioned?.issuer === issuer;', 'group.provisioned !== null;'],
  ]),
  ...faultsOf('src/server/engine/users/change-user.ts', power, [
    ['provisioned?.disabledAt === disabledAt ?', 'false ?'],
  ]),
  ...faultsOf('src/server/engine/users/change-user.ts', leaver, [
    ['...(changes.disabled && { also: endPasskeys(passkeys, by, id, at) }),', ''],
  ]),
];
