import type { StreamFormat } from '../../streams/contract.ts';
import { factsOf, type EntryFacts } from './facts.ts';
import type { ExportedEntry } from './file.ts';
import { streamLine } from './cef.ts';

interface Sender {
  origin: string;
  /** The name under which the console is reached. */
  host: string;
}

/** The entry as a message of syslog (RFC 5424) with its length in front, as it travels over TLS (RFC 5425). */
export function syslogFrame(format: StreamFormat, { origin, host }: Sender, entry: ExportedEntry): Buffer {
  const facts = factsOf(entry);
  const priority = auditFacility * 8 + severityOf(facts);
  const head = `<${priority}>1 ${new Date(facts.at).toISOString()} ${host} assentry - ${facts.event.type} -`;
  const message = Buffer.from(`${head} ${textOf(format, streamLine(format, origin, entry))}`, 'utf8');
  return Buffer.concat([Buffer.from(`${message.length} `), message]);
}

/** Log audit. */
const auditFacility = 13;

/** Warning, notice and informational: an override stands out, then what was refused or stopped. */
function severityOf({ event, isRefusal }: EntryFacts): number {
  if (event.type === 'elicitation.break-glass') return 4;
  return isRefusal || event.type === 'stop.made' ? 5 : 6;
}

/** RFC 5424 requires a byte order mark before text that is not ASCII; JSON needs none. */
function textOf(format: StreamFormat, line: string): string {
  if (format !== 'cef')
    return line.replaceAll(beyondAscii, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return beyondAscii.test(line) ? `\u{FEFF}${line}` : line;
}

const beyondAscii = /[^ -~]/g;
