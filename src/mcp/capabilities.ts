import type { Mode } from '../model/elicitation.ts';

/** The part of an MCP client's declared capabilities that says how its person can be asked. */
export interface ElicitationCapabilities {
  elicitation?: { form?: object | undefined; url?: object | undefined } | undefined;
}

/** Can this client be asked at all, or in this mode? An empty declaration means forms. */
export function supportsElicitation(capabilities: ElicitationCapabilities | undefined, mode?: Mode): boolean {
  const declared = capabilities?.elicitation;
  if (!declared) return false;
  const hasUrl = declared.url !== undefined;
  const hasForm = declared.form !== undefined || !hasUrl;
  if (mode === undefined) return true;
  return mode === 'form' ? hasForm : hasUrl;
}
