import { compileAll, compiled } from './compile.mjs';

export default async function setUp() {
  await compileAll();
  const { default: startDatabase } = await import(compiled('test/support/setup.ts'));
  await startDatabase();
}
