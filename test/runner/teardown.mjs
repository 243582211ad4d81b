import { compiled } from './compile.mjs';

export default async function tearDown() {
  const { tearDown: stopDatabase } = await import(compiled('test/support/setup.ts'));
  await stopDatabase();
}
