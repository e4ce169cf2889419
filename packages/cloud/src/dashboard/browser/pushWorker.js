// @ts-check
// The service worker of the dashboard. It shows pushes, and keeps no page. A push has ids only: what it is about is read with the
// session of whoever is signed in, and where nobody is, a general sentence stands for it.

/** @type {ServiceWorkerGlobalScope} */
const worker = /** @type {any} */ (self)

/** Browsers do not wait longer before they show a notification of their own. */
const answerWithinMs = 5_000

const texts = {
  en: {
    alert: 'Something is wrong, or well again. Open Callgate to see what.',
    opening: 'Someone opened a gate. Open Callgate to see who.',
  },
  ro: {
    alert: 'Ceva nu merge sau merge din nou. Deschide Callgate ca să vezi ce.',
    opening: 'Cineva a deschis o poartă. Deschide Callgate ca să vezi cine.',
  },
}

/** @typedef {{ kind: 'alert' | 'opening', spaceId: string, id: string | null }} Message */

/** @param {PushMessageData | null} data @returns {Message | undefined} */
function messageOf(data) {
  try {
    const { id, kind, spaceId } = data?.json() ?? {}
    const isOurs = (kind === 'alert' || kind === 'opening') && /^space_\w+$/.test(spaceId)
    return isOurs ? { kind, spaceId, id: typeof id === 'string' ? id : null } : undefined
  } catch {
    return undefined
  }
}

/** @param {Message} message @returns {Promise<{ title: string, text: string }>} */
async function textOf({ id, kind, spaceId }) {
  try {
    const query = new URLSearchParams({ kind, ...(id !== null && { id }) })
    const answer = await fetch(`/app/v1/spaces/${spaceId}/push?${query}`, {
      signal: AbortSignal.timeout(answerWithinMs),
    })
    if (answer.ok) return await answer.json()
  } catch {
    // Without a connection.
  }
  const language = navigator.language.startsWith('ro') ? 'ro' : 'en'
  return { title: 'Callgate', text: texts[language][kind] }
}

worker.addEventListener('push', event => {
  const show = async () => {
    const message = messageOf(event.data)
    if (!message) return
    const { text, title } = await textOf(message)
    const { kind, spaceId } = message
    const path = `/spaces/${spaceId}/${kind === 'alert' ? 'alerts' : 'history'}`
    // A later push of the kind takes the place of the one before.
    await worker.registration.showNotification(title, {
      body: text,
      tag: `${kind} ${spaceId}`,
      icon: '/g/icon-192.png',
      data: path,
    })
  }
  event.waitUntil(show())
})

worker.addEventListener('notificationclick', event => {
  event.notification.close()
  event.waitUntil(worker.clients.openWindow(event.notification.data))
})
