/** The SMTP server that takes Assentry's mails. */
export interface MailServer {
  host: string;
  port: number;
  /** TLS from the first byte. Otherwise the connection must change to TLS, unless the server is this machine. */
  isSecure: boolean;
  isLocal: boolean;
  auth: { user: string; pass: string } | null;
  /** What a node calls itself to the mail server; by default the domain that mails come from. */
  name?: string;
  /** The address that mails come from. */
  from: string;
}
