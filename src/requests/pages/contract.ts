import { z } from 'zod';
import { actions, maxTtlMs, minTtlMs, defaultRequesterTtl } from '../asking/contract/elicitation.ts';
import {
  AccessToken,
  ElicitationId,
  FormContent,
  Issuer,
  Moment,
  NamedRequester,
  Subject,
} from '../asking/contract/open.ts';
import type { RouteContract } from '#platform/http/contract/route';

/** The API of elicitation tokens: making one, and what their bearers send. */
/** Characters: a token and the public address in front of it. */
const maxTokenAddress = 8192;

const mintedPurposes = ['page', 'callback'] as const;

export const MintToken = z
  .strictObject({
    session: z.string().min(1).max(256).meta({
      description: "The session of the question, or its requester's subject if there are no sessions.",
    }),
    ttl: z.int().min(minTtlMs).max(maxTtlMs).default(defaultRequesterTtl).meta({
      description: 'Milliseconds by when a request must be opened with it. A callback lives as long as its request.',
    }),
    purpose: z.enum(mintedPurposes).default('callback'),
    elicitation: ElicitationId.optional().meta({
      description: 'An open request; without it the token is for the request that is opened with it.',
    }),
  })
  .meta({ id: 'MintToken' });
export type MintToken = z.input<typeof MintToken>;

export const MintedToken = z
  .object({
    token: z.string().meta({
      description: 'Give it as `elicitationId`. For a callback it is only a name, which clients may read.',
    }),
    expiresAt: Moment,
    /** Address at which the requester answers; null for a token of another purpose. */
    pageUrl: z.string().nullable(),
    callbackUrl: z.string().nullable().meta({
      description:
        'Where an outside service reports; null for a token of another purpose. A secret: for the service alone, from server to server.',
    }),
    code: z.string().optional().meta({
      description:
        'Opens the page on the requester’s own machine. Show it where the MCP client runs, nowhere else. Another one if it was tried five times.',
    }),
  })
  .meta({ id: 'MintedToken' });
export type MintedToken = z.infer<typeof MintedToken>;

export const RecognizePage = z
  .strictObject({
    url: z.string().max(maxTokenAddress).meta({ description: 'The address to which a server sends the requester.' }),
    requester: NamedRequester,
    accessToken: AccessToken.optional(),
  })
  .meta({ id: 'RecognizePage' });
export type RecognizePage = z.input<typeof RecognizePage>;

export const RecognizedPage = z
  .object({
    isOwn: z.boolean().meta({ description: 'True for an open page of this installation for the same requester.' }),
  })
  .meta({ id: 'RecognizedPage' });
export type RecognizedPage = z.infer<typeof RecognizedPage>;

/** Any text: a malformed token gets the same answer as an invalid one. */
export const TokenParams = z.object({ token: z.string() });

/** The result of URL mode. Always in this envelope, so that no field of a result is taken for its action. */
const CallbackReport = z
  .strictObject({
    action: z.enum(actions).default('accept'),
    content: FormContent.optional().meta({ description: "Satisfies the question's result schema; with accept only." }),
    completedBy: z.strictObject({ subject: Subject, issuer: Issuer.optional() }).optional().meta({
      description: 'Who completed it, as the service knows them. The report is refused if that is not the requester.',
    }),
    state: z.string().max(256).optional().meta({
      description: 'The `state` that the address was opened with. The report is refused if it is another one.',
    }),
  })
  .meta({ id: 'CallbackReport' });
export type CallbackReport = z.input<typeof CallbackReport>;

/** The answer to a callback: its report was taken, now or before. */
export const CallbackTaken = z.object({ action: z.enum(actions) }).meta({ id: 'CallbackTaken' });

/** The hosted page's form, as browsers send it. Fields of the question are named `field.` and their name. */
export const PageForm = z
  .looseObject({
    action: z.enum(['prove', ...actions]),
    /** Shows that the form comes from its own page. */
    proof: z.string().max(64),
    /** The action digest of what the page showed. */
    digest: z.string().max(64).optional(),
    code: z.string().max(64).optional(),
  })
  .meta({ id: 'PageForm' });

/** Routes that take an elicitation token, and the one that makes it. */
export const tokenRoutes = {
  mintToken: {
    method: 'post',
    path: '/v1/tokens',
    auth: 'key',
    summary: 'Make a token for a link, or a name and a callback. It reveals nothing, expires, and has one purpose.',
    body: MintToken,
    success: { 201: MintedToken },
  },
  recognizePage: {
    method: 'post',
    path: '/v1/pages/recognize',
    auth: 'key',
    summary: 'Find out whether an address is a page of this installation, open for this requester. Changes nothing.',
    body: RecognizePage,
    success: { 200: RecognizedPage },
  },
  showConnectPage: {
    method: 'get',
    path: '/go/{token}',
    auth: 'token',
    summary:
      'The page in front of an outside address. It is the same for every token until the requester proves who they are.',
    params: TokenParams,
    success: { 200: null },
    html: true,
  },
  takeConnectForm: {
    method: 'post',
    path: '/go/{token}',
    auth: 'token',
    summary: 'Prove that you are the requester, then go on to the outside address, decline or cancel.',
    params: TokenParams,
    body: PageForm,
    success: { 200: null, 303: null },
    html: true,
  },
  showPage: {
    method: 'get',
    path: '/e/{token}',
    auth: 'token',
    summary:
      "The requester's page. Opening it decides nothing, and it shows nothing about the request before they prove who they are.",
    params: TokenParams,
    success: { 200: null },
    html: true,
  },
  answerPage: {
    method: 'post',
    path: '/e/{token}',
    auth: 'token',
    summary: "Prove that you are the requester, then answer, once. It never counts as an approver's vote.",
    params: TokenParams,
    body: PageForm,
    success: { 200: null, 303: null },
    html: true,
  },
  keepReceipt: {
    method: 'get',
    path: '/e/{token}/receipt',
    auth: 'token',
    summary: "The receipt of the requester's answer, for the browser it was given in: a C2SP tlog-proof file.",
    params: TokenParams,
    success: { 200: null },
    html: true,
    file: 'text/plain; charset=utf-8',
  },
  showCallback: {
    method: 'get',
    path: '/callback/{token}',
    auth: 'token',
    summary: 'A page for people who return from another site. It is the same for every token and decides nothing.',
    params: TokenParams,
    success: { 200: null },
    html: true,
  },
  takeCallback: {
    method: 'post',
    path: '/callback/{token}',
    auth: 'token',
    summary: 'Report the result of URL mode and resume the waiting call, once. The same report again changes nothing.',
    params: TokenParams,
    body: CallbackReport,
    success: { 200: CallbackTaken },
  },
} as const satisfies Record<string, RouteContract>;
