import type { PolicyDetail } from '#policies/contract/documents';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import type { TestServer } from '../../support/nodes/server.ts';
import { json } from '../../support/json.ts';

/** One successful exchange for each route about policies, by its id. */
export function policyExchanges(server: () => TestServer, admin: () => Browser) {
  let policies = 0;
  const documentOf = (name: string, approve = 1) =>
    `policy: ${name}\nmatch: { tool: none }\nrequire: { stages: [{ name: One, approve: ${approve}, approvers: anyone }] }\n`;
  const draft = () => admin().call('POST', '/api/policies', { document: documentOf(`policy-${(policies += 1)}`) });
  const drafted = () => json<PolicyDetail>(draft());
  const on = ({ name, version }: PolicyDetail, verb: string, body?: unknown, by = admin()) =>
    by.call('POST', `/api/policies/${name}/versions/${version}/${verb}`, body);
  const submitted = async () => json<PolicyDetail>(on(await drafted(), 'submit'));
  const review = async (of: PolicyDetail, verdict = 'approve') =>
    on(of, 'review', { verdict, digest: of.digest, note: 'fine' }, await openBrowser(server(), 'admin'));
  const approved = async () => json<PolicyDetail>(review(await submitted()));
  const get = (path: string) => admin().call('GET', path);
  return {
    saveDraft: draft,
    submitVersion: async () => on(await drafted(), 'submit'),
    reviewVersion: async () => review(await submitted()),
    publishVersion: async () => on(await approved(), 'publish'),
    restoreVersion: async () => on(await approved(), 'restore'),
    setShadow: async () => {
      const { name, version } = await submitted();
      return admin().call('POST', `/api/policies/${name}/shadow`, { version });
    },
    showShadow: async () => get(`/api/policies/${(await drafted()).name}/shadow`),
    listPolicies: () => get('/api/policies'),
    listReviews: () => get('/api/policies/reviews'),
    policySchema: () => get('/api/policies/schema'),
    exportPolicies: () => get('/api/policies/export'),
    policyHistory: async () => get(`/api/policies/${(await drafted()).name}/versions`),
    showPolicyVersion: async () => {
      const { name } = await drafted();
      const again = await admin().call('POST', '/api/policies', { document: documentOf(name, 2) });
      const { version } = await json<PolicyDetail>(again);
      return get(`/api/policies/${name}/versions/${version}`);
    },
    checkPolicy: () => admin().call('POST', '/api/policies/check', { document: documentOf('checked') }),
    simulatePolicy: () => {
      const fixtures = [{ name: 'one', server: 'payments', tool: 'none', expected: 'deny' }];
      return admin().call('POST', '/api/policies/simulate', { document: documentOf('tried'), last: 5, fixtures });
    },
    importPolicies: () => admin().call('POST', '/api/policies/import', { documents: [documentOf('imported')] }),
  };
}
