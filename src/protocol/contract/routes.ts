import { auditRoutes } from './console/audit.ts';
import { historyRoutes } from './history-routes.ts';
import { chatRoutes } from './console/chat.ts';
import { bulkRoutes } from './console/bulk-vote.ts';
import { delegationRoutes } from './console/delegation.ts';
import { grantRoutes } from './console/grant.ts';
import { notificationRoutes } from './console/notification.ts';
import { testRequestRoutes } from './console/test-request.ts';
import { webhookRoutes } from './console/webhook.ts';
import { stopRoutes } from './console/stop.ts';
import { insightsRoutes } from './insights-routes.ts';
import { keepingRoutes } from './console/keeping.ts';
import { machineRoutes } from './console/machine.ts';
import { accountRoutes } from './users/account.ts';
import { passkeyRoutes } from './users/passkeys.ts';
import { passkeySignInRoutes } from './console/passkey-sign-in.ts';
import { secondFactorRoutes } from './users/second-factor.ts';
import { providerRoutes } from './users/sign-in-provider.ts';
import { scimRoutes } from './users/scim.ts';
import { adminTokenRoutes } from './users/admin-token.ts';
import { applyRoutes } from './users/apply.ts';
import { workloadRoutes } from './users/workload.ts';
import { groupConfirmationRoutes } from './users/group-confirmation.ts';
import { keyRoutes } from './users/key.ts';
import { savedViewRoutes } from './view-routes.ts';
import { roleRoutes } from './users/roles.ts';
import { spaceRoutes } from './users/spaces.ts';
import { usersRoutes } from './users/users.ts';
import { accountPairRoutes } from './users/account-pairs.ts';
import { alwaysRoutes } from './policies/always.ts';
import { policyRoutes } from './policies/policy-routes.ts';
import { deliberationRoutes } from './console/deliberation-routes.ts';
import { logRoutes } from './log-routes.ts';
import { operatorRoutes } from './operator-routes.ts';
import { memoRoutes } from './servers/memo.ts';
import { passRoutes } from './servers/pass.ts';
import { toolRoutes } from './users/tool.ts';
import { identityRoutes } from './servers/identity.ts';
import { credentialRoutes } from './servers/credential.ts';
import { tokenRoutes } from './servers/token.ts';
import { elicitationRoutes } from './elicitation-routes.ts';

export type { RouteAuth, RouteContract } from './http/route-contract.ts';

/** Written out, because an inferred type would be too long to be declared. */
type Routes = typeof elicitationRoutes &
  typeof bulkRoutes &
  typeof usersRoutes &
  typeof accountPairRoutes &
  typeof spaceRoutes &
  typeof roleRoutes &
  typeof groupConfirmationRoutes &
  typeof accountRoutes &
  typeof passkeyRoutes &
  typeof passkeySignInRoutes &
  typeof secondFactorRoutes &
  typeof providerRoutes &
  typeof scimRoutes &
  typeof keyRoutes &
  typeof workloadRoutes &
  typeof adminTokenRoutes &
  typeof applyRoutes &
  typeof savedViewRoutes &
  typeof delegationRoutes &
  typeof grantRoutes &
  typeof stopRoutes &
  typeof testRequestRoutes &
  typeof keepingRoutes &
  typeof notificationRoutes &
  typeof webhookRoutes &
  typeof policyRoutes &
  typeof alwaysRoutes &
  typeof deliberationRoutes &
  typeof memoRoutes &
  typeof passRoutes &
  typeof toolRoutes &
  typeof tokenRoutes &
  typeof identityRoutes &
  typeof credentialRoutes &
  typeof logRoutes &
  typeof auditRoutes &
  typeof historyRoutes &
  typeof insightsRoutes &
  typeof machineRoutes &
  typeof chatRoutes &
  typeof operatorRoutes;

/** All routes: the API serves from this table, and the OpenAPI document is made from it. */
export const routes: Routes = {
  ...elicitationRoutes,
  ...bulkRoutes,
  ...usersRoutes,
  ...accountPairRoutes,
  ...spaceRoutes,
  ...roleRoutes,
  ...groupConfirmationRoutes,
  ...accountRoutes,
  ...passkeyRoutes,
  ...passkeySignInRoutes,
  ...secondFactorRoutes,
  ...providerRoutes,
  ...scimRoutes,
  ...keyRoutes,
  ...workloadRoutes,
  ...adminTokenRoutes,
  ...applyRoutes,
  ...savedViewRoutes,
  ...delegationRoutes,
  ...grantRoutes,
  ...stopRoutes,
  ...testRequestRoutes,
  ...keepingRoutes,
  ...notificationRoutes,
  ...webhookRoutes,
  ...policyRoutes,
  ...alwaysRoutes,
  ...deliberationRoutes,
  ...memoRoutes,
  ...passRoutes,
  ...toolRoutes,
  ...tokenRoutes,
  ...identityRoutes,
  ...credentialRoutes,
  ...logRoutes,
  ...auditRoutes,
  ...historyRoutes,
  ...insightsRoutes,
  ...machineRoutes,
  ...chatRoutes,
  ...operatorRoutes,
};

export type RouteId = keyof typeof routes;
