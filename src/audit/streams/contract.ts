import type { StreamState } from '#platform/nodes/contract/ready';

/** Formats of an entry for a tool that watches: as it is, or as events of two common schemas. */
export const streamFormats = ['jsonl', 'ocsf', 'cef'] as const;
export type StreamFormat = (typeof streamFormats)[number];

/** Receiver of the log's entries as they come. */
export interface LogStream {
  /** Name under which the database keeps its progress. */
  name: string;
  format: StreamFormat;
  /** With the protocol `syslog+tls:` or `https:`. */
  url: string;
}

/** Connections of a node's streams. */
export interface StreamWays {
  streams: readonly LogStream[];
  /** Signs what goes to `https:`; null if nothing does. */
  secret: string | null;
  /** Certificates in PEM: of an authority of one's own, and what shows the receivers who sends. */
  tls: StreamTls;
}

export interface StreamTls {
  ca?: string;
  cert?: string;
  key?: string;
}

/** Progress of a stream, and the node that streams. */
export interface StreamSign extends StreamState {
  /** Null if none does. */
  holder: string | null;
  /** Milliseconds since 1970: until then no other node goes on. */
  heldUntil: number;
}
