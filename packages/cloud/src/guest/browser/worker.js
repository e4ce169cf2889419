// @ts-check
// The service worker of the guest's pages. It keeps one page, which says that there is no connection. It never keeps a
// page of a link, and never sends anything by itself or later.

/** @type {ServiceWorkerGlobalScope} */
const worker = /** @type {any} */ (self)
const cacheName = 'offline'
const offlinePage = `/g/offline${worker.location.search}`

worker.addEventListener('install', event => {
  const keep = async () => {
    const cache = await caches.open(cacheName)
    for (const old of await cache.keys()) await cache.delete(old)
    await cache.add(new Request(offlinePage, { cache: 'reload' }))
    await worker.skipWaiting()
  }
  event.waitUntil(keep())
})

worker.addEventListener('fetch', event => {
  const { method, mode } = event.request
  // Nobody knows whether a form that could not be sent has arrived. The browser's own page says so.
  if (method !== 'GET' || mode !== 'navigate') return
  const answer = async () => {
    try {
      return await fetch(event.request)
    } catch (error) {
      const kept = await caches.match(offlinePage)
      if (kept) return kept
      throw error
    }
  }
  event.respondWith(answer())
})
