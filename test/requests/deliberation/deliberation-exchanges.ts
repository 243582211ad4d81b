import type { OpenedElicitation } from '#requests/asking/contract/open';
import { changeUser } from '#people/users/verbs';
import { stageOf } from '../../support/requests/stages.ts';
import { openStaged } from '../../support/requests/staged.ts';
import type { Asking } from '../../support/nodes/asking.ts';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import type { TestServer } from '../../support/nodes/server.ts';
import { json } from '../../support/json.ts';

interface Given {
  server: TestServer;
  asking: Asking;
  browser: Browser;
  admin: Browser;
}

/** One successful exchange for each route about what people do apart from voting, by its id. */
export function deliberationExchanges(args: () => Given) {
  const onRequest = async (verb: string, body: object) => {
    const { id, digest } = await args().asking.open();
    return args().browser.call('POST', `/api/elicitations/${id}/${verb}`, { ...body, digest });
  };
  const staged = (parts: Parameters<typeof openStaged>[2]): Promise<OpenedElicitation> => {
    const { server, asking } = args();
    return openStaged(server, asking, parts);
  };
  const withBreakGlass = async () => {
    const { server, asking } = args();
    const user = await server.newUser('approver');
    await changeUser(server.engine, 'operator', user.id as never, { mayBreakGlass: true });
    const { id, digest } = await asking.open();
    const body = { digest, reason: 'The pager says production is down.', content: {} };
    return { id, response: await user.call('POST', `/api/elicitations/${id}/break-glass`, body) };
  };
  const withSample = async () => {
    const { server, asking } = args();
    await server.applyPolicies(['policy: sampled\nmatch: { tool: sampled }\nallow: { sample: 100% }']);
    return asking.open({ tool: { name: 'sampled', annotations: { readOnlyHint: true } } });
  };
  return {
    withdrawVote: async () => {
      const { id, digest } = await staged({ stages: [stageOf({ approve: 2 })] });
      await args().browser.vote({ id, digest });
      return args().browser.call('POST', `/api/elicitations/${id}/withdraw-vote`);
    },
    editElicitation: async () => {
      const editable = { amount: { type: 'number', maximum: 100 } };
      const { id, digest } = await staged({ terms: { editable } });
      const body = { digest, arguments: { amount: 50 } };
      return args().browser.call('POST', `/api/elicitations/${id}/edit`, body);
    },
    addApprover: async () => onRequest('approvers', { user: (await openBrowser(args().server)).user.id }),
    watchElicitation: async () => {
      const { id } = await args().asking.open();
      return args().browser.call('POST', `/api/elicitations/${id}/watch`, { held: true });
    },
    lookAt: async () => {
      const { id } = await args().asking.open();
      return args().browser.call('POST', `/api/elicitations/${id}/look`, { reason: 'I review what ran today.' });
    },
    addComment: async () => {
      const { id } = await args().asking.open();
      return args().browser.call('POST', `/api/elicitations/${id}/comments`, { text: 'I know of this one.' });
    },
    askForInformation: () => onRequest('inquiry', { message: 'Which ticket?' }),
    giveInformation: async () => {
      const { id, digest } = await args().asking.open();
      const response = await args().browser.call('POST', `/api/elicitations/${id}/inquiry`, {
        message: 'Why?',
        digest,
      });
      const { inquiry } = await json<{ inquiry: string }>(response);
      const body = { inquiry, action: 'accept', content: { reply: 'Because.' } };
      return args().asking.call('POST', `/v1/elicitations/${id}/information`, body);
    },
    postponeElicitation: async () => {
      const { id, digest } = await args().asking.open({ notBefore: Date.now() + 30_000 });
      const body = { digest, notBefore: Date.now() + 60_000 };
      return args().browser.call('POST', `/api/elicitations/${id}/postpone`, body);
    },
    breakGlassElicitation: async () => (await withBreakGlass()).response,
    reviewBreakGlass: async () => {
      const { id } = await withBreakGlass();
      const body = { isJustified: true, finding: 'Production was down.' };
      return args().admin.call('POST', `/api/elicitations/${id}/break-glass/review`, body);
    },
    listBreakGlass: async () => {
      await withBreakGlass();
      return args().browser.call('GET', '/api/break-glass');
    },
    reviewLookBack: async () => {
      const { id } = await withSample();
      await args().admin.call('POST', `/api/elicitations/${id}/look`, { reason: 'I look at what was chosen.' });
      return args().admin.call('POST', `/api/elicitations/${id}/look-back/review`, { shouldHaveAsked: false });
    },
    listLookBacks: async () => {
      await withSample();
      return args().admin.call('GET', '/api/look-backs');
    },
    confirmPassword: async () => {
      const user = await args().server.newUser();
      return user.call('POST', '/api/session/confirm', { password: user.password });
    },
  };
}
