import { compiled } from './compile.mjs';
import setUp from './setup.mjs';

export default async function setUpWhole() {
  await setUp();
  const { startBrowserServer } = await import(compiled('test/support/browser/browser-server.ts'));
  await startBrowserServer();
}
