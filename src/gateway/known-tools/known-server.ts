/** What a call of a tool does at most: it changes nothing, adds or changes, removes or ends, or gives data away. */
type Effect = 'reads' | 'writes' | 'destroys' | 'sends';

/** What an argument names. Several of one kind name one thing together, such as owner and repository. */
export type ObjectKind = 'path' | 'url' | 'repository' | 'account' | 'command';

export interface KnownTool {
  does: Effect;
  /** The names of its arguments. */
  takes: readonly string[];
  /** With one of these arguments it does more than read. */
  unless?: readonly string[];
  /**
   * What a rule for calls like one can be limited by. None for a tool that reaches beyond them: a manifest names what it
   * likes, and an upload goes to the page that is open.
   */
  objects?: Readonly<Record<string, ObjectKind>>;
  /** The digest of its definition as the gateway pins it, for a reading tool: in this definition alone it counts as one. */
  definition?: string;
}

export interface KnownServer {
  package: string;
  /** The version from which the tools were read. */
  version: string;
  tools: Readonly<Record<string, KnownTool>>;
}
