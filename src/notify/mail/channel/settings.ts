import type { MailServer } from '../contract.ts';
import { isLoopback } from '#platform/model/names';
import { refuseVariable } from '#platform/config/config';
import type { Environment } from '#platform/config/env';

/** The mail server, or null if there is none; problem `config-invalid` never repeats a password. */
export function readSmtp(environment: Environment): MailServer | null {
  const { ASSENTRY_SMTP_URL: text, ASSENTRY_SMTP_FROM: from, ASSENTRY_PUBLIC_URL: publicUrl } = environment;
  if (text === undefined && from === undefined) return null;
  const server = text === undefined ? null : parseServer(text);
  if (server === null) {
    const finding =
      text === undefined ? 'nothing' : 'something of another form (not shown, for it may hold a password)';
    throw refuseVariable(
      'ASSENTRY_SMTP_URL',
      finding,
      'give an address such as smtps://user:password@mail.example.com',
    );
  }
  if (from === undefined || !/^[^\s@<>"]{1,64}@[^\s@<>"]{1,255}$/.test(from)) {
    const allowed = 'give the address that mails come from, such as assentry@example.com';
    throw refuseVariable('ASSENTRY_SMTP_FROM', from === undefined ? 'nothing' : JSON.stringify(from), allowed);
  }
  const name = publicUrl !== undefined && URL.canParse(publicUrl) ? new URL(publicUrl).hostname : '';
  return { ...server, ...(isDomain(name) && { name }), from };
}

/** Is it a name with a dot and letters? Strict servers accept no address or bare word instead. */
const isDomain = (name: string): boolean => /^[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z][a-z\d-]*$/i.test(name);

/** Server in an address; null if the text is anything else. */
function parseServer(text: string): Omit<MailServer, 'from'> | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isSmtp = url?.protocol === 'smtp:' || url?.protocol === 'smtps:';
  if (!url || !isSmtp || url.hostname === '' || url.pathname.length > 1 || url.search !== '' || url.hash !== '')
    return null;
  const [user, pass] = [decode(url.username), decode(url.password)];
  if (user === null || pass === null) return null;
  const isSecure = url.protocol === 'smtps:';
  const defaultPort = isSecure ? 465 : 587;
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? defaultPort : Number(url.port),
    isSecure,
    isLocal: isLoopback(text),
    auth: user === '' ? null : { user, pass },
  };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
