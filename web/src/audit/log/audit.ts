import { AuditNames, LogPage, Report, RequestRecord, ShownProof, VerifiedReceipt } from '#audit/search/contract';
import { PassedCallContent, type ReadPassedCall } from '#requests/deliberation/contract/deliberation';
import type { ReportId } from '#audit/reports/contract/report';
import { address, callApi } from '../../client/call-api.ts';

/** Where one of the usual questions is answered; as a table in a file, if wanted. */
export const reportAddress = (id: ReportId, search: URLSearchParams, asFile = false): string =>
  `/api/audit/reports/${id}${asFile ? '/csv' : ''}?${search.toString()}`;

export const readReport = (id: ReportId, search: URLSearchParams, signal: AbortSignal) =>
  callApi(reportAddress(id, search), { answer: Report, signal });

/** A page of a search in the log, from after the cursor. */
export function searchLog(search: URLSearchParams, cursor: string | null, signal: AbortSignal): Promise<LogPage> {
  const query = new URLSearchParams([...search, ...(cursor === null ? [] : [['cursor', cursor]])]);
  return callApi(`/api/audit/entries?${query.toString()}`, { answer: LogPage, signal });
}

export const readProof = (signal: AbortSignal) => callApi('/api/audit/proof', { answer: ShownProof, signal });

/** Everything the log says about one request. */
export const readRecord = (id: string, signal: AbortSignal) =>
  callApi(address`/api/audit/requests/${id}`, { answer: RequestRecord, signal });

/** The names that questions and searches can be narrowed by. */
export const readAuditNames = (signal: AbortSignal) => callApi('/api/audit/names', { answer: AuditNames, signal });

/** Whether a receipt is genuine. */
export const verifyReceipt = (receipt: string) =>
  callApi('/api/audit/receipts', { answer: VerifiedReceipt, method: 'POST', body: { receipt } });

/** The arguments of the call that passed with this entry; the reason is an entry of its own. */
export const readPassedCall = (id: string, body: ReadPassedCall) =>
  callApi(address`/api/passed-calls/${id}/read`, { answer: PassedCallContent, method: 'POST', body });
