import type { OpenElicitation } from '../../client/client.ts';
import { faultOfAddress } from '#platform/model/names';
import { isAllowedAddress } from '../options/allowed-domain.ts';
import type { AskedParams } from '../options/elicitation-request.ts';
import type { HostSettings } from '../options/host-options.ts';
import type { Refused } from '../options/refusal.ts';

/** The question to approvers, attributed to the server under the host's own name for it. */
export function openRequest(settings: HostSettings, params: AskedParams): OpenElicitation {
  const { serverName, serverInfo, principal, ttl } = settings;
  const info = serverInfo?.();
  const named = params.mode === 'url' && params.elicitationId !== undefined;
  return {
    tool: {
      name: `${serverName}.elicitation.create`,
      title: `Question from ${serverName}`,
      description: consequence(serverName, params.mode),
    },
    arguments: {
      server: serverName,
      ...(info && { callsItself: { name: info.name, version: info.version } }),
      ...(named && { elicitationId: params.elicitationId }),
    },
    message: params.message,
    ...(params.mode === 'form'
      ? { mode: params.mode, schema: params.requestedSchema }
      : { mode: params.mode, url: params.url }),
    audience: 'approvers',
    requester: principal,
    ttl,
  };
}

const consequence = (server: string, mode: AskedParams['mode']): string =>
  mode === 'form'
    ? `The MCP server "${server}" wrote this question and gets the answer exactly as given here.`
    : `The MCP server "${server}" wants this address to be opened. An approval allows it to be opened once.`;

/** Why this address is not shown to approvers; null if it may be. */
export function refuseAddress({ serverName, allowedDomains }: HostSettings, params: AskedParams): Refused | null {
  if (params.mode !== 'url') return null;
  const address = URL.canParse(params.url) ? new URL(params.url) : null;
  const fault = faultOfAddress(params.url);
  if (address && fault === null && isAllowedAddress(address, allowedDomains)) return null;
  if (address && fault !== null)
    return { reason: 'url-not-allowed', action: 'decline', detail: `${serverName} asked to open an address. ${fault}` };
  const detail = address
    ? `${serverName} asked to open an address at ${address.host || address.protocol}, which is not among allowedDomains.`
    : `${serverName} asked to open something that is not an address.`;
  return { reason: 'url-not-allowed', action: 'decline', detail };
}
