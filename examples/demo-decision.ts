import { ElicitationDetail } from '#requests/inbox/contract/inbox';

/** Approves the request as a browser would: the one-time link, then the page, then the vote on what it showed. */
export async function decideForThem(
  url: string,
  address: string,
  id: string,
  say: (sentence: string) => void,
): Promise<void> {
  const cookie = await signIn(url, address);
  const headers = { cookie, origin: url, 'content-type': 'application/json' };
  const page = await fetch(`${url}/api/elicitations/${id}`, { headers });
  const { digest, message, arguments: shown } = ElicitationDetail.parse(await page.json());
  say(`   Shown to the approver: ${message}`);
  say(`   with the arguments ${shown}`);
  const vote = { action: 'accept', content: { limit: 1000 }, comment: 'Up to 1,000 without the invoice.', digest };
  const answer = await fetch(`${url}/api/elicitations/${id}/vote`, {
    method: 'POST',
    headers,
    body: JSON.stringify(vote),
  });
  if (!answer.ok) throw new TypeError(`The vote was refused: ${await answer.text()}`);
  say('   Approved, up to 1,000.');
}

async function signIn(url: string, address: string): Promise<string> {
  const link = new URLSearchParams(new URL(address).hash.slice(1)).get('link');
  const headers = { origin: url, 'content-type': 'application/json' };
  const response = await fetch(`${url}/api/session`, { method: 'POST', headers, body: JSON.stringify({ link }) });
  if (!response.ok) throw new TypeError(`The sign-in was refused: ${await response.text()}`);
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}
