import { Report, ShownProof, type StandingProof } from '../../../src/contract/console/audit.ts';
import type { ReportId } from '../../../src/model/report.ts';
import { callApi } from './call-api.ts';

/** Where one of the usual questions is answered; as a table in a file, if wanted. */
export const reportAddress = (id: ReportId, search: URLSearchParams, asFile = false): string =>
  `/api/audit/reports/${id}${asFile ? '/csv' : ''}?${search.toString()}`;

export const readReport = (id: ReportId, search: URLSearchParams, signal: AbortSignal): Promise<Report> =>
  callApi(reportAddress(id, search), { answer: Report, signal });

export const readProof = async (signal: AbortSignal): Promise<StandingProof | null> =>
  (await callApi('/api/audit/proof', { answer: ShownProof, signal })).proof;
