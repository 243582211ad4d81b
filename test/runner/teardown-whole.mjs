import { compiled } from './compile.mjs';
import tearDown from './teardown.mjs';

export default async function tearDownWhole() {
  const { stopBrowserServer } = await import(compiled('test/support/browser/browser-server.ts'));
  await Promise.all([stopBrowserServer(), tearDown()]);
}
