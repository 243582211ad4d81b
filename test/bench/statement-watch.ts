import pg from 'pg';

export type StatementKind = 'open' | 'read' | 'change' | 'other';

export interface SeenStatement {
  kind: StatementKind;
  text: string;
  values: unknown[];
}

/** Notes every statement this process sends, until it is asked for them. */
export function watchStatements(): () => SeenStatement[] {
  const statements: SeenStatement[] = [];
  const original = pg.Client.prototype.query;
  const watching = function (this: pg.Client, ...args: unknown[]): unknown {
    const [first, second] = args;
    const { text, values } = (typeof first === 'string' ? { text: first, values: second } : first) as pg.QueryConfig;
    if (typeof text === 'string')
      statements.push({ kind: kindOf(text), text, values: Array.isArray(values) ? values : [] });
    return Reflect.apply(original, this, args);
  };
  pg.Client.prototype.query = watching as typeof original;
  return () => {
    pg.Client.prototype.query = original;
    return statements;
  };
}

function kindOf(text: string): StatementKind {
  if (text.includes('INSERT INTO elicitation ')) return 'open';
  if (text.includes('UPDATE elicitation AS e')) return 'change';
  return text.includes('FROM elicitation e JOIN server') ? 'read' : 'other';
}

/** How many rows a statement asks for: it carries them as one list. */
export function rowsOf({ values: [list] }: SeenStatement): unknown[] {
  const rows: unknown = typeof list === 'string' ? JSON.parse(list) : list;
  return Array.isArray(rows) ? rows : [];
}
