import { openBrowser } from '../../support/nodes/console.ts';
import { allowForAnHour } from '../../support/requests/grant.ts';
import type { TestServer } from '../../support/nodes/server.ts';

/** One successful exchange for each route about grants, by its id. */
export function grantExchanges(server: () => TestServer) {
  const on = async (verb: string) => {
    const approver = await openBrowser(server());
    const { grant } = await allowForAnHour(server(), approver);
    return approver.call('POST', `/api/grants/${grant}/${verb}`);
  };
  return {
    listGrants: async () => {
      await allowForAnHour(server(), await openBrowser(server()));
      return (await openBrowser(server())).call('GET', '/api/grants');
    },
    revokeGrant: () => on('revoke'),
    reviewGrant: () => on('review'),
  };
}
