/* Shows what Assentry tells this browser. It keeps nothing, and no request of a page passes through it. */

self.addEventListener('push', (event) => event.waitUntil(show(event.data.json())));

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.path));
});

self.addEventListener('notificationclose', (event) => event.waitUntil(count()));

async function show({ title, body, path, tag, lang }) {
  const image = '/icon-192.png';
  const options = { body, tag, lang, renotify: true, icon: image, badge: '/badge.png', data: { path } };
  await self.registration.showNotification(title, options);
  await count();
}

/** On the icon of an installed console stands how much was told and not yet opened. */
async function count() {
  const shown = await self.registration.getNotifications();
  if (shown.length > 0) await self.navigator.setAppBadge?.(shown.length);
  else await self.navigator.clearAppBadge?.();
}

/** The page that shows it already, else a new one: no page is left in which someone may be typing. */
async function open(path) {
  await count();
  const address = new URL(path, self.location.origin);
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const page = pages.find(({ url }) => new URL(url).pathname === address.pathname);
  if (page) await page.focus();
  else if (address.origin === self.location.origin) await self.clients.openWindow(address.href);
}
