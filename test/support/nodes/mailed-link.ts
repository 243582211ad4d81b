import type { UserId } from '#platform/model/id';
import { mailedPasswordLink } from '#access/sign-in/verbs/links';
import type { MailServer } from '#notify/mail/contract';
import type { PasswordLink } from '#access/passwords/verbs';
import type { TestServer } from './server.ts';

/** An installation that sends mails, to a mail server that is down. */
export const mailsDown: MailServer = {
  host: '127.0.0.1',
  port: 9,
  isSecure: false,
  isLocal: true,
  auth: null,
  from: 'assentry@example.com',
};

/** The link that goes to this person by mail. */
export async function mailedLink({ engine }: Pick<TestServer, 'engine'>, user: string): Promise<PasswordLink> {
  const link = await mailedPasswordLink(engine, user as UserId);
  if (!link) throw new Error(`No link is on its way to ${user}.`);
  return link;
}

/** What a password link is worth. */
export const secretIn = ({ address }: Pick<PasswordLink, 'address'>): string =>
  /\/password#link=([\w-]{43})$/.exec(address)?.[1] ?? '';

/** Sets a password with the link, and gives the cookie that the person is signed in with. */
export async function enterBy(link: PasswordLink, { url }: Pick<TestServer, 'url'>): Promise<string> {
  const response = await fetch(`${url}/api/password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ link: secretIn(link), password: 'a password the administrator knows' }),
  });
  if (response.status !== 200) throw new Error(`The link was refused: ${response.status}`);
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}
