import { modes, type Mode } from '#requests/asking/contract/elicitation';

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

/** Modes that clients have refused since they declared them; a declaration lives as long as its session. */
const refused = new WeakMap<object, Set<Mode>>();

/** From now on this client counts as one that never declared these modes. */
export function rememberRefusal(declared: ElicitationCapabilities | undefined, which: readonly Mode[]): void {
  if (declared) refused.set(declared, new Set([...(refused.get(declared) ?? []), ...which]));
}

/** The declaration without what its client has refused since. */
export function stillDeclared(declared: ElicitationCapabilities | undefined): ElicitationCapabilities | undefined {
  const lost = declared && refused.get(declared);
  if (!lost) return declared;
  const kept = modes.filter((mode) => supportsElicitation(declared, mode) && !lost.has(mode));
  const elicitation = kept.length > 0 ? Object.fromEntries(kept.map((mode) => [mode, {}])) : undefined;
  return { ...declared, elicitation };
}
