import { auditRoutes } from '#audit/search/contract';
import { historyRoutes } from '#requests/inbox/contract/history/history-routes';
import { chatRoutes } from '#notify/chat/contract';
import { bulkRoutes } from '#requests/voting/contract/bulk-vote/bulk-vote';
import { delegationRoutes } from '#people/delegations/contract';
import { grantRoutes } from '#requests/grants/contract';
import { notificationRoutes } from '#notify/contract/settings';
import { testRequestRoutes } from '#requests/tests/contract';
import { webhookRoutes } from '#notify/webhooks/contract/webhooks';
import { stopRoutes } from '#requests/stops/contract/stops';
import { insightsRoutes } from '#audit/reports/contract/insights';
import { keepingRoutes } from '#keeping/content/contract';
import { machineRoutes } from '#requests/machine/contract';
import { accountRoutes } from '#access/sign-in/contract/account';
import { passkeyRoutes } from '#access/passkeys/contract/passkeys';
import { passkeySignInRoutes } from '#access/passkeys/contract/passkey-sign-in';
import { secondFactorRoutes } from '#access/factors/contract/second-factor';
import { providerRoutes } from '#access/oidc/contract/sign-in-provider';
import { scimRoutes } from '#access/scim/contract/scim';
import { adminTokenRoutes } from '#access/tokens/contract';
import { applyRoutes } from '#people/declared/contract';
import { workloadRoutes } from '#access/workloads/contract';
import { groupConfirmationRoutes } from '#people/groups/contract';
import { keyRoutes } from '#access/keys/contract/key';
import { savedViewRoutes } from '#requests/inbox/contract/history/view-routes';
import { roleRoutes } from '#people/roles/contract';
import { spaceRoutes } from '#people/spaces/contract';
import { usersRoutes } from '#people/users/contract';
import { accountPairRoutes } from '#people/accounts/contract';
import { alwaysRoutes } from '#policies/contract/documents/always';
import { policyRoutes } from '#policies/contract/routes/policy-routes';
import { deliberationRoutes } from '#requests/deliberation/contract/routes';
import { logRoutes } from '#audit/tree/contract';
import { operatorRoutes } from '../../../nodes/contract/ready/operator-routes.ts';
import { memoRoutes } from '#requests/asking/contract/routes/memo';
import { passRoutes } from '#requests/asking/contract/routes/pass';
import { toolRoutes } from '#access/keys/contract/key';
import { identityRoutes } from '#requests/asking/contract/routes/identity';
import { credentialRoutes } from '#connect/credentials/contract';
import { tokenRoutes } from '#requests/pages/contract';
import { elicitationRoutes } from '#requests/asking/contract/routes/elicitation-routes';

export type { RouteAuth, RouteContract } from '../route/route-contract.ts';

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
