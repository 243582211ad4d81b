import { callApi } from './call-api.ts';

export const readInbox = (search: URLSearchParams, signal: AbortSignal) =>
  callApi(`/api/elicitations?${search}`, { answer: (answers) => answers.Inbox, signal });

export const readBreakGlass = (signal: AbortSignal) =>
  callApi('/api/break-glass', { answer: (answers) => answers.BreakGlassList, signal });
