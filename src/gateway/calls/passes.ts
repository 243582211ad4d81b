import { performance } from 'node:perf_hooks';
import type { AssentryClient, RenewPasses } from '#sdk/client/client';
import { withDeadline } from '#sdk/client/transport';
import { randomHex } from '#sdk/client/digest';
import { AskedTool, NamedRequester } from '#requests/asking/contract/open';
import { maxPassedArguments, maxPasses, maxReported } from '#requests/asking/contract/routes';

type AskedPass = RenewPasses['passes'][number];

/** A tool, and who calls it. */
export type Use = Pick<AskedPass, 'tool' | 'requester'>;

type Ran = NonNullable<AskedPass['ran']>[number];

/** Milliseconds from the first call that is not reported yet to its report. */
const reportsAfter = 250;
/** Milliseconds for which a tool that got no pass is not asked about again: its calls are. */
const refusalLasts = 10_000;
/** Milliseconds a call waits for an answer about passes; after that it is asked about like any other. */
const renewalTime = 2_000;

/** Assentry's word that a tool may run for a requester, whatever the arguments, for a moment. */
export class Pass {
  readonly use: Use;
  readonly #tell: () => void;
  /** Unreported runs. */
  readonly ran: Ran[] = [];
  isWanted = false;
  /** Number of answers of Assentry about this tool. */
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

  /** Whether Assentry's last answer, yes or no, still counts. */
  get isKnown(): boolean {
    return this.#now() < this.#until;
  }

  /** Assentry allowed it, too long ago. */
  get isStale(): boolean {
    return this.#policy !== null && !this.isKnown;
  }

  /** The call of this run digest was given to the upstream, with these arguments. */
  report(run: string, args: Readonly<Record<string, unknown>>): void {
    const text = JSON.stringify(args);
    const cut = text.slice(0, maxPassedArguments).replace(/[\ud800-\udbff]$/, '');
    this.ran.push({ id: randomHex(), policy: this.#policy ?? '', run, arguments: cut, length: text.length });
    this.#tell();
  }

  /** Assentry was asked then and said this; null for no pass. */
  renew(policy: string | null, askedAt: number, lasts: number): void {
    this.answers += 1;
    this.#policy = policy;
    this.#until = askedAt + (policy === null ? refusalLasts : lasts);
  }
}

/**
 * The passes of one upstream. Each is good only for a moment from when it was asked for, so that calls stop when
 * Assentry says no or says nothing. The request that renews it brings the calls that ran by it.
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

  /** A good pass for this use; null if the call must be asked about. Never rejects. */
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

  /** Reports what has run, as far as Assentry takes it. */
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

  /** Undefined for a tool or a requester that Assentry could not take. */
  #hold(use: Use): Pass | undefined {
    const { tool, requester } = use;
    const name = JSON.stringify([tool.name, tool.annotations, tool.schemaDigest, tool.unaccepted, requester]);
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

  /** One after the other; those that wait for the next share it. */
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

/** Characters of the arguments of one request, which must stay below the size of a body in any writing. */
const maxReportedText = 200_000;

/** As many as one request takes. */
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
