export interface Shown {
  status: number;
  html: string;
  headers: Headers;
  /** The value of a hidden field. */
  hidden(name: string): string;
}

/** One browser without scripts: keeps cookies, follows no redirect by itself. */
export interface Visitor {
  get(url: string): Promise<Shown>;
  /** Sends the form of the page shown last, with these fields; another value for a hidden field replaces it. */
  send(url: string, fields: Record<string, string | string[]>, headers?: Record<string, string>): Promise<Shown>;
  cookies: Map<string, string>;
}

export function newVisitor(): Visitor {
  const cookies = new Map<string, string>();
  let last: Shown | undefined;

  async function call(url: string, init: RequestInit): Promise<Shown> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(init.headers as Record<string, string>), ...(cookie && { cookie }) };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const html = await response.text();
    const hidden = (name: string): string => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';
    return { status: response.status, html, headers: response.headers, hidden };
  }

  return {
    cookies,
    async get(url) {
      last = await call(url, {});
      return last;
    },
    async send(url, fields, headers = {}) {
      const body = new URLSearchParams();
      const hidden = { proof: last?.hidden('proof') ?? '', digest: last?.hidden('digest') ?? '' };
      for (const [name, value] of Object.entries({ ...hidden, ...fields })) {
        for (const text of [value].flat()) body.append(name, text);
      }
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      return call(url, { method: 'POST', headers: { ...type, ...headers }, body: body.toString() });
    },
  };
}

/** Types the code and stands before the question. */
export async function letIn(visitor: Visitor, url: string, code: string): Promise<Shown> {
  await visitor.get(url);
  const proven = await visitor.send(url, { action: 'prove', code });
  if (proven.status !== 303) throw new TypeError(`the code was refused: ${proven.status} ${proven.html}`);
  return visitor.get(url);
}

/** Proves by the code and agrees to leave. Returns where the connect page leads. */
export async function leaveBy(visitor: Visitor, url: string, code: string): Promise<string> {
  await letIn(visitor, url, code);
  const sent = await visitor.send(url, { action: 'accept' });
  return sent.headers.get('location') ?? '';
}
