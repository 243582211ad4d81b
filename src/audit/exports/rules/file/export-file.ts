/** An entry with what is said about it elsewhere. */
export interface ExportedEntry {
  index: number;
  /** Canonical JSON. */
  body: Uint8Array;
  /** The hashes that lead from it to the checkpoint; none if the file does not prove. */
  proof: Uint8Array[];
  /** Of its request, if it is about one. */
  server: string | null;
  tool: string | null;
  /** The names of people by id, as of today. */
  names: ReadonlyMap<string, string>;
}

/** Writes a file part by part and keeps none of them in memory. */
export interface ExportFile {
  begin(): string;
  entry(entry: ExportedEntry): string;
  end(): string;
}

/** The lines of JSON with proof; a table; and events for tools that watch logs. */
export const exportFormats = ['jsonl', 'csv', 'ocsf', 'cef'] as const;
export type ExportFormat = (typeof exportFormats)[number];
