import { createHash } from 'node:crypto';
import { signNote, type NoteSigner } from '../../tree/rules/notes.ts';

/**
 * One line of CSV (RFC 4180). Spreadsheets run what begins like a formula; an apostrophe makes it text. Where a comma is a
 * decimal sign, they end a cell at a semicolon, a tab or a line end, whatever the quotes say.
 */
export const csvLine = (cells: string[]): string => `${cells.map(quote).join(',')}\r\n`;

const formula = /^(?=[=+\-@\t\r\n＝＋－＠])|(?<=[;\t\r\n])(?=[=+\-@＝＋－＠])/g;

const quote = (text: string): string => {
  const safe = text.replaceAll(formula, "'");
  return /[",\r\n';\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/*
 * Some entries of the log as lines of JSON: a line about the file, with the signed checkpoint; one line for each entry,
 * with its place and the hashes that lead from there to the checkpoint (RFC 6962); and a signed line about all lines
 * before it, which shows that none was removed.
 */
export const exportFormat = 'assentry.export/v1';

export interface ExportHead {
  /** The log's name. */
  origin: string;
  /** The signed note, verbatim. */
  checkpoint: string;
  /** Filter of these entries, such as `tool=refund`; empty for all. */
  filter: string[];
}

/** Lines of JSON that anyone can check offline with the installation's key. */
export function createJsonlFile({ origin, checkpoint, filter }: ExportHead, signers: NoteSigner[]): ExportFile {
  const digest = createHash('sha256');
  let entries = 0;
  const add = (line: string): string => {
    digest.update(`${line}\n`);
    return `${line}\n`;
  };
  return {
    begin: () => add(headLine({ origin, checkpoint, filter })),
    entry({ index, body, proof }) {
      entries += 1;
      const hashes = proof.map((hash) => Buffer.from(hash).toString('base64'));
      return add(entryLine(index, Buffer.from(body).toString('utf8'), hashes));
    },
    end() {
      const seal = signNote(sealText({ origin, entries, digest: digest.digest() }), signers);
      return `${sealLine(entries, seal)}\n`;
    },
  };
}

/* The one way to write each line: a check writes it again, so that no two readers can read it differently. */
export const headLine = ({ origin, checkpoint, filter }: ExportHead): string =>
  JSON.stringify({ format: exportFormat, origin, checkpoint, filter });
export const entryLine = (index: number, body: string, hashes: string[]): string =>
  `{"index":${index},"entry":${body},"proof":${JSON.stringify(hashes)}}`;
export const sealLine = (entries: number, seal: string): string => JSON.stringify({ entries, seal });

/** Text that the last line signs. It is no checkpoint: that has its size in the second line. */
export const sealText = ({ origin, entries, digest }: { origin: string; entries: number; digest: Buffer }): string =>
  `${exportFormat}\n${origin}\n${entries}\n${digest.toString('base64')}\n`;

/** An entry with what is said about it elsewhere. */
export interface ExportedEntry {
  index: number;
  /** Canonical JSON. */
  body: Uint8Array;
  /** The hashes that lead from it to the checkpoint; none if the file does not prove. */
  proof: Uint8Array[];
  /** Server of its request, if it is about one. */
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
