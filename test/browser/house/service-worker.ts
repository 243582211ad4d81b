import { readFileSync } from 'node:fs';
import vm from 'node:vm';

/** What the service worker has asked of its browser. */
export interface WorkerRun {
  shown: { title: string; body: string; tag: string; data: { path: string } }[];
  /** What stands on the icon, each time it was set. */
  badges: number[];
  opened: string[];
  focused: string[];
}

/**
 * The service worker of the console gets this message and then a tap, in a browser that shows these pages. A browser
 * stops its own at any moment, so this one runs here.
 */
export async function tellWorker(message: string, origin: string, pages: string[] = []): Promise<WorkerRun> {
  const run: WorkerRun = { shown: [], badges: [], opened: [], focused: [] };
  const listeners = new Map<string, (event: object) => void>();
  const works: Promise<unknown>[] = [];
  const say = async (type: string, part: object): Promise<void> => {
    listeners.get(type)?.({ waitUntil: (work: Promise<unknown>) => works.push(work), ...part });
    await Promise.all(works.splice(0));
  };
  let open = 0;
  const self = {
    addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
    location: { origin },
    registration: {
      showNotification: async (title: string, options: Omit<WorkerRun['shown'][number], 'title'>) => {
        open = run.shown.push({ title, ...options });
      },
      getNotifications: async () => run.shown.slice(0, open),
    },
    navigator: {
      setAppBadge: async (count: number) => run.badges.push(count),
      clearAppBadge: async () => run.badges.push(0),
    },
    clients: {
      matchAll: async () => pages.map((url) => ({ url, focus: async () => run.focused.push(url) })),
      openWindow: async (url: string) => run.opened.push(url),
    },
  };
  vm.runInNewContext(readFileSync('web/public/service-worker.js', 'utf8'), { self, URL });
  await say('push', { data: { json: () => JSON.parse(message) as unknown } });
  await say('notificationclick', { notification: { ...run.shown[0], close: () => (open = 0) } });
  return run;
}
