import { performance } from 'node:perf_hooks';
import type { AssentryClient, RenewPasses } from '#sdk/client/client';
import { withDeadline } from '#sdk/client/transport';
import { randomHex } from '#sdk/client/digest';
import { AskedTool, NamedRequester } from '#requests/asking/contract/open';
import { maxPassedArguments, maxPasses, maxReported } from '#requests/asking/contract/routes';

type AskedPass = RenewPasses['passes'][number];

/** A tool and its caller. */
export type Use = Pick<AskedPass, 'tool' | 'requester'>;

type Ran = NonNullable<AskedPass['ran']>[number];

/** Delay of a report after the first unreported call, in milliseconds. */
const reportsAfter = 250;
/** Time in milliseconds before Assentry is asked again about a tool without a pass; its calls are judged one by one. */
const refusalLasts = 10_000;
/** Milliseconds a call waits for an answer about passes; after that it is judged like any other. */
const renewalTime = 2_000;

/** Assentry's word that a tool may run for a requester, whatever the arguments, for a moment. */
export class Pass {
  readonly use: Use;
  readonly #tell: () => void;
  /** Runs not yet reported. */
  readonly ran: Ran[] = [];
  isWanted = false;
  /** Number of Assentry's answers about this tool. */
  answers = 0;
  readonly #now: () => number;
  #policy: string | null = null;
  #until = Number.NEGATIVE_INFINITY;

  constructor(use: Use, tell: () => void, now: () => number) {
    this.use = use;
    this.#tell = tell;
    this.#now = now;
  }

  get isGood(): boolean {
    return this.#policy !== null && this.isKnown;
  }

  /** Does Assentry's last answer, yes or no, still count? */
  get isKnown(): boolean {
    return this.#now() < this.#until;
  }

  /** True if the last answer was yes, but has expired. */
  get isStale(): boolean {
    return this.#policy !== null && !this.isKnown;
  }

  /** Notes that the upstream was given the call of this run digest, with these arguments. */
  report(run: string, args: Readonly<Record<string, unknown>>): void {
    const text = JSON.stringify(args);
    const cut = text.slice(0, maxPassedArguments).replace(/[\ud800-\udbff]$/, '');
    this.ran.push({ id: randomHex(), policy: this.#policy ?? '', run, arguments: cut, length: text.length });
    this.#tell();
  }

  /** Stores Assentry's answer to a request sent at `askedAt`; null for no pass. */
  renew(policy: string | null, askedAt: number, lasts: number): void {
    this.answers += 1;
    this.#policy = policy;
    this.#until = askedAt + (policy === null ? refusalLasts : lasts);
  }
}

/**
 * Passes of one upstream. Each is good for a moment from when it was requested, so that calls stop when Assentry says no or
 * says nothing. The request that renews it reports the calls that ran by it.
 */
export class Passes {
  readonly #client: Promise<Pick<AssentryClient, 'renewPasses'>>;
  readonly #now: () => number;
  readonly #passes = new Map<string, Pass>();
  #latest: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;

  /** `now` never goes back. */
  constructor(client: Promise<Pick<AssentryClient, 'renewPasses'>>, now = () => performance.now()) {
    this.#client = client;
    this.#now = now;
  }

  /** A good pass for this use; null if the call must be judged. Never rejects. */
  async find(use: Use): Promise<Pass | null> {
    const pass = this.#hold(use);
    if (!pass) return null;
    const { answers } = pass;
    pass.isWanted = true;
    if (!pass.isKnown) await this.#renew();
    // A yes that came too late to count, as from an Assentry that has just started, may come in time now.
    if (pass.answers > answers && pass.isStale) {
      pass.isWanted = true;
      await this.#renew();
    } else if (pass.isGood) this.#reportSoon();
    return pass.isGood ? pass : null;
  }

  /** Reports the runs that Assentry still accepts. */
  async close(): Promise<void> {
    for (let remaining = Number.POSITIVE_INFINITY; this.#unreported > 0 && this.#unreported < remaining;) {
      remaining = this.#unreported;
      await this.#renew();
    }
    clearTimeout(this.#timer);
  }

  get #unreported(): number {
    return [...this.#passes.values()].reduce((sum, { ran }) => sum + ran.length, 0);
  }

  /** The pass of this use; undefined for a tool or a requester that Assentry could not accept. */
  #hold(use: Use): Pass | undefined {
    const { tool, requester } = use;
    const name = JSON.stringify([
      tool.name,
      tool.annotations,
      tool.schemaDigest,
      tool.unaccepted,
      tool.fits,
      requester,
    ]);
    const current = this.#passes.get(name);
    if (current) return current;
    if (!AskedTool.safeParse(tool).success || !NamedRequester.safeParse(requester).success) return undefined;
    const pass = new Pass(use, () => this.#reportSoon(), this.#now);
    this.#passes.set(name, pass);
    return pass;
  }

  #reportSoon(): void {
    this.#timer ??= setTimeout(() => void this.#renew(), reportsAfter);
  }

  /** Renewals run one after the other; callers that wait for the next one share it. */
  #renew(): Promise<void> {
    this.#next ??= this.#latest = this.#latest.then(() => {
      this.#next = null;
      clearTimeout(this.#timer);
      this.#timer = undefined;
      return this.#exchange().catch(() => this.#reportAgain());
    });
    return this.#next;
  }

  async #exchange(): Promise<void> {
    this.#forgetUnused();
    const duePasses = [...this.#passes.values()].filter(isDue).slice(0, maxPasses);
    if (duePasses.length === 0) return;
    const batch = takeReports(duePasses);
    const passes = batch.map(({ pass, ran }) => ({ ...pass.use, ran }));
    for (const pass of duePasses) pass.isWanted = false;
    const client = await this.#client;
    const askedAt = this.#now();
    const answer = await withDeadline(renewalTime, undefined, (signal) => client.renewPasses({ passes }, { signal }));
    batch.forEach(({ pass, ran }, at) => {
      pass.ran.splice(0, ran.length);
      pass.renew(answer.passes[at]?.policy ?? null, askedAt, answer.lasts);
    });
    this.#reportAgain();
  }

  /** Reports the rest soon, with failed reports. */
  #reportAgain(): void {
    if (this.#unreported > 0) this.#reportSoon();
  }

  #forgetUnused(): void {
    for (const [name, pass] of this.#passes) if (!isDue(pass) && !pass.isKnown) this.#passes.delete(name);
  }
}

const isDue = ({ isWanted, ran }: Pass): boolean => isWanted || ran.length > 0;

/** Limit in characters of the arguments in one request; it must stay below the size of a body in any encoding. */
const maxReportedText = 200_000;

/** Takes as many reports as fit into one request. */
function takeReports(passes: Pass[]): { pass: Pass; ran: Ran[] }[] {
  let [room, text] = [maxReported, maxReportedText];
  return passes.map((pass) => {
    const ran = pass.ran.slice(0, room);
    const end = ran.findIndex(({ arguments: args = '' }) => (text -= args.length) < 0);
    const fitting = end === -1 ? ran : ran.slice(0, end);
    room = end === -1 ? room - fitting.length : 0;
    return { pass, ran: fitting };
  });
}
