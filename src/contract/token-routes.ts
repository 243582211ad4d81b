import type { RouteContract } from './route-contract.ts';
import { CallbackReport, CallbackTaken, MintedToken, MintToken, PageForm, TokenParams } from './token.ts';

/** What is reached with an elicitation token, and where one is made. */
export const tokenRoutes = {
  mintToken: {
    method: 'post',
    path: '/v1/tokens',
    auth: 'key',
    summary: 'Make a token for a link or a callback. It tells its bearer nothing, expires, and serves one purpose.',
    body: MintToken,
    success: { 201: MintedToken },
  },
  showPage: {
    method: 'get',
    path: '/e/{token}',
    auth: 'token',
    summary:
      "The requester's page. It decides nothing and shows nothing of the question before they prove who they are.",
    params: TokenParams,
    success: { 200: null },
    html: true,
  },
  answerPage: {
    method: 'post',
    path: '/e/{token}',
    auth: 'token',
    summary: "Prove to be the requester, then answer, once. It never counts as an approver's vote.",
    params: TokenParams,
    body: PageForm,
    success: { 200: null, 303: null },
    html: true,
  },
  keepReceipt: {
    method: 'get',
    path: '/e/{token}/receipt',
    auth: 'token',
    summary: 'The proof of their answer, for the browser that gave it on the page: a C2SP tlog-proof file.',
    params: TokenParams,
    success: { 200: null },
    html: true,
    file: 'text/plain; charset=utf-8',
  },
  showCallback: {
    method: 'get',
    path: '/callback/{token}',
    auth: 'token',
    summary: 'A page for people who are sent back here. It is the same for every token and decides nothing.',
    params: TokenParams,
    success: { 200: null },
    html: true,
  },
  takeCallback: {
    method: 'post',
    path: '/callback/{token}',
    auth: 'token',
    summary: 'Report the result of URL mode and resume the blocked call, once. The same report again changes nothing.',
    params: TokenParams,
    body: CallbackReport,
    success: { 200: CallbackTaken },
  },
} as const satisfies Record<string, RouteContract>;
