/** The SMTP server that takes Assentry's mails. */
export interface MailServer {
  host: string;
  port: number;
  /** TLS from the first byte. Otherwise the connection must change to TLS, unless the server is this machine. */
  isSecure: boolean;
  isLocal: boolean;
  auth: { user: string; pass: string } | null;
  /** Name of the node for the mail server; by default the domain of the sender's address. */
  name?: string;
  /** Sender's address of mails. */
  from: string;
}
