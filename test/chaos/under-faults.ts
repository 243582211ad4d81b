import pg from 'pg';
import { statements, type Order } from './orders.ts';

// Is loaded before a node (node --import) and does to it what the run orders: stops its process at a statement, sets its
// clock, repeats and reorders its wake-ups. The node itself knows nothing of this.

let death: Extract<Order, { do: 'die' }> | null = null;
let ahead = 0;
let isScrambled = false;

const die = (): never => process.kill(process.pid, 'SIGKILL') as never;

if (process.channel) {
  process.on('message', (order: Order) => {
    if (order.do === 'die') death = order;
    if (order.do === 'set-clock') ahead = order.ahead;
    if (order.do === 'scramble') isScrambled = order.isOn;
  });
  process.once('disconnect', die); // no node outlives the run
  process.channel.unref();
  killAtStatements();
  shiftTime();
  scrambleWakeUps();
}

type Send = (this: pg.Client, ...args: unknown[]) => unknown;

function killAtStatements(): void {
  const send = pg.Client.prototype.query as Send;
  const query: Send = function (...args) {
    const [statement] = args as [string | { text?: string }];
    const text = typeof statement === 'string' ? statement : (statement.text ?? '');
    if (death === null || !text.includes(statements[death.statement])) return Reflect.apply(send, this, args);
    const { moment } = death;
    death = null;
    if (moment === 'before') return die();
    if (moment === 'during') setImmediate(die);
    const isCalled = typeof args.at(-1) === 'function';
    const answer = Reflect.apply(send, this, moment === 'after' && isCalled ? args.with(-1, die) : args);
    return moment === 'after' && answer instanceof Promise ? answer.then(die, die) : answer;
  };
  pg.Client.prototype.query = query as typeof pg.Client.prototype.query;
}

function shiftTime(): void {
  const right = Date.now;
  Date.now = () => right() + ahead;
  globalThis.Date = class extends Date {
    constructor(...parts: []) {
      super(...(parts.length === 0 ? ([Date.now()] as unknown as []) : parts));
    }
  } as DateConstructor;
}

/** Each wake-up comes twice, later, and the last one first. */
function scrambleWakeUps(): void {
  const emit = pg.Client.prototype.emit;
  let kept: (() => void)[] = [];
  pg.Client.prototype.emit = function (this: pg.Client, name: string, ...parts: unknown[]) {
    if (name !== 'notification' || !isScrambled) return Reflect.apply(emit, this, [name, ...parts]) as boolean;
    if (kept.length === 0)
      setTimeout(
        () =>
          kept
            .splice(0)
            .toReversed()
            .forEach((wake) => wake()),
        300,
      );
    const wake = (): void => void Reflect.apply(emit, this, [name, ...parts]);
    kept = [...kept, wake, wake];
    return true;
  } as typeof emit;
}
