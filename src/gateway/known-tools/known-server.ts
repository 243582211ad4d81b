/** Strongest effect of a tool's call: it changes nothing, adds or changes, removes or ends, or gives data away. */
type Effect = 'reads' | 'writes' | 'destroys' | 'sends';

/** Kind of thing that an argument names. Several of one kind name one thing together, such as owner and repository. */
export type ObjectKind = 'path' | 'url' | 'repository' | 'account' | 'command';

export interface KnownTool {
  does: Effect;
  /** Names of the tool's arguments. */
  takes: readonly string[];
  /** Arguments with which it does more than read. */
  unless?: readonly string[];
  /**
   * Arguments that can limit a rule for similar calls. None for a tool that reaches beyond them: a manifest names any object,
   * and an upload goes to the open page.
   */
  objects?: Readonly<Record<string, ObjectKind>>;
  /** For a reading tool, the digest of its pinned definition: it counts as reading in this definition alone. */
  definition?: string;
}

export interface KnownServer {
  package: string;
  /** The version from which the tools were read. */
  version: string;
  tools: Readonly<Record<string, KnownTool>>;
}
