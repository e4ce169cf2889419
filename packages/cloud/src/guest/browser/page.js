// @ts-check
// The script of the guest's pages. Without it the pages work by forms alone. A press goes straight to the gate only where a
// person has pressed; a click or a request by a script leads to the confirmation page.

;(() => {
  /** A press that takes longer to be sent is given up, and the cloud refuses it. Milliseconds. */
  const pressWithinMs = 15_000
  /** An older page gets a new form before it is used. */
  const freshForMs = 60_000
  const root = document.documentElement
  const link = location.pathname.split('/').slice(0, 3).join('/')
  const say = document.getElementById('say')

  /** @typedef {{ readonly document: Document, readonly url: string, readonly status: number }} Answer */

  let main = /** @type {HTMLElement} */ (document.querySelector('main'))
  let shown = { perf: 0, wall: 0 }
  /** The nonces of forms that press at once. They are taken out of the page, so that only this script can send them. */
  const nonces = new WeakMap()
  /** The press whose opening is not known yet. @type {{ nonce: string, atMs: number } | undefined} */
  let pending
  /** When the running opening was pressed, by `performance.now()`. @type {number | undefined} */
  let startedMs
  let stepStartedMs = 0
  /** The steps that are undone before another page is shown. @type {(() => void)[]} */
  const undo = []
  /** How many pages were shown. An answer that was asked for before the newest of them is older than it. */
  let pages = 0
  /** The timer of the next question to the cloud. @type {ReturnType<typeof setTimeout> | undefined} */
  let nextCheck
  let asksMs = 1_000
  /** The page that is covered by a text about the network. @type {HTMLElement | undefined} */
  let covered
  let offlineSince = ''

  /** @param {string} selector @param {ParentNode} [within] @returns {HTMLElement | null} */
  const find = (selector, within = main) => within.querySelector(selector)
  const isRunning = () => main.classList.contains('live')
  const seconds = (/** @type {number} */ ms) => Math.max(0, Math.floor(ms / 1000))

  /** @param {number} everyMs @param {() => void} then */
  function repeat(everyMs, then) {
    const timer = setInterval(then, everyMs)
    undo.push(() => clearInterval(timer))
  }

  /** @param {number} afterMs @param {() => void} then */
  function later(afterMs, then) {
    const timer = setTimeout(then, afterMs)
    undo.push(() => clearTimeout(timer))
  }

  function clear() {
    clearTimeout(nextCheck)
    for (const stop of undo.splice(0)) stop()
  }

  /** @param {number} afterMs */
  function checkIn(afterMs) {
    clearTimeout(nextCheck)
    nextCheck = setTimeout(check, afterMs)
  }

  /**
   * One request; its answer is a page, which is parsed without running anything in it.
   * @param {string} method @param {string} url @param {(answer: Answer) => void} then @param {() => void} failed
   * @param {URLSearchParams} [body]
   */
  function ask(method, url, then, failed, body) {
    const request = new XMLHttpRequest()
    request.open(method, url)
    request.responseType = 'document'
    request.timeout = pressWithinMs
    request.onload = () => {
      const { responseURL, responseXML, status } = request
      if (responseXML?.querySelector('main[data-say]'))
        then({ document: responseXML, url: responseURL, status })
      else failed()
    }
    request.onerror = request.ontimeout = failed
    request.send(body)
  }

  /** @param {HTMLElement} next */
  function replaceMain(next) {
    const hadFocus = main.contains(document.activeElement) || document.activeElement === document.body
    main.replaceWith(next)
    main = next
    if (hadFocus) next.focus({ preventScroll: true })
    if (say && say.textContent !== next.dataset['say']) say.textContent = next.dataset['say'] ?? ''
  }

  /** Shows the received page in place of this one. @param {Answer} answer */
  function show({ document: next, status, url }) {
    // The link no longer works: nothing of this page may stay.
    if (status === 404 && !next.documentElement.dataset['worker']) return location.reload()
    clear()
    pages += 1
    covered = undefined
    root.lang = next.documentElement.lang
    root.dataset['page'] = next.documentElement.dataset['page'] ?? ''
    document.title = next.title
    const { pathname } = new URL(url)
    // The page of a requested press has no address of its own.
    if (pathname !== location.pathname) {
      if (/^\/g\/[^/]+(\/openings\/[^/]+)?$/.test(pathname)) history.pushState(null, '', pathname)
      scrollTo(0, 0)
    }
    replaceMain(document.adoptNode(/** @type {HTMLElement} */ (next.querySelector('main'))))
    arm(performance.now())
  }

  /** Shows what is known without the network, in place of the page. @param {'offline' | 'lost'} kind */
  function cover(kind) {
    const template = document.getElementById(kind)
    if (covered || !(template instanceof HTMLTemplateElement)) return
    const over = /** @type {HTMLElement} */ (document.importNode(template.content, true).firstElementChild)
    for (const part of ['h1', '.where']) {
      const place = find(part, over)
      if (place) place.textContent = find(part)?.textContent ?? ''
    }
    const since = find('.count span', over)
    const words = since?.textContent ?? ''
    if (kind === 'lost') {
      over.dataset['lit'] = main.dataset['lit'] ?? '1'
      const tell = () => {
        if (since) since.textContent = words.replace('{seconds}', String(seconds(age())))
      }
      tell()
      repeat(1_000, tell)
    } else if (since) since.textContent = words.replace('{time}', offlineSince)
    covered = main
    root.dataset['page'] = ''
    replaceMain(over)
    find('.act')?.addEventListener('click', kind === 'lost' ? check : refresh)
  }

  function uncover() {
    if (!covered) return
    replaceMain(covered)
    covered = undefined
  }

  const age = () => performance.now() - (pending?.atMs ?? startedMs ?? performance.now())

  /** Covers a page from which nothing can be sent. A page with the end of a press stays. */
  function noteOffline() {
    offlineSince ||= new Date().toLocaleTimeString(root.lang, {
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    if (main.classList.contains('ready') && !isRunning() && !pending) cover('offline')
  }

  /** Reads the gates again: the form, which gates open now, and when others open. */
  function refresh() {
    if (isRunning() || pending) return
    const come = (/** @type {Answer} */ answer) => {
      // The guest may have pressed since, and a fault is no reason to remove the form.
      if (isRunning() || pending) return
      if (answer.status === 200 || answer.status === 404) show(answer)
      else later(freshForMs, refresh)
    }
    ask('GET', link, come, () => navigator.onLine || noteOffline())
  }

  /** Locks the page at once, and shows the counter in place of the disc. @param {HTMLFormElement} form */
  function showSent(form) {
    for (const button of main.querySelectorAll('button')) button.disabled = true
    dropPhotos()
    if (!find('.disc')) return
    const row = form.closest('li')
    // It is that of another gate.
    if (row) find('.named .photo')?.remove()
    for (const [from, to] of [
      ['h2', 'h1'],
      ['p', '.where'],
    ]) {
      const [source, place] = [row && find(String(from), row), find(String(to))]
      if (source && place) place.textContent = source.textContent
    }
    main.dataset['lit'] = '1'
    main.classList.add('sent', 'live')
    scrollTo(0, 0)
    repeat(200, tick)
  }

  /** @param {HTMLFormElement} form */
  function press(form) {
    if (!navigator.onLine) {
      noteOffline()
      return cover('offline')
    }
    const fields = new FormData(form)
    const nonce = String(nonces.get(form) ?? fields.get('ask'))
    const atMs = performance.now()
    // The longer of both times: one of the clocks may stop while the phone sleeps.
    const sinceShown = Math.max(atMs - shown.perf, Date.now() - shown.wall)
    const body = new URLSearchParams({ press: nonce, after: String(Math.round(sinceShown)) })
    for (const name of ['access', 'stood']) if (fields.has(name)) body.set(name, String(fields.get(name)))
    clear()
    pending = { nonce, atMs }
    startedMs = stepStartedMs = atMs
    showSent(form)
    ask('POST', form.action, answered, lost, body)
  }

  /** @param {Answer} answer */
  function answered(answer) {
    pending = undefined
    if (!/\/openings\//.test(answer.url)) startedMs = undefined
    show(answer)
  }

  function lost() {
    if (!covered) {
      clear()
      main.dataset['lit'] ??= '1'
      main.classList.add('live')
      cover('lost')
    }
    checkIn(2_000)
  }

  /** Asks for the outcome of the press, or of its opening, by GET, which presses nothing. */
  function check() {
    const url = pending ? `${link}/presses/${pending.nonce}` : location.pathname
    const of = pages
    ask(
      'GET',
      url,
      answer => of === pages && found(answer),
      () => of === pages && lost(),
    )
  }

  /** @param {Answer} answer */
  function found(answer) {
    const next = /** @type {HTMLElement} */ (answer.document.querySelector('main'))
    // Refused for now, or a fault: asks again, and the page stays.
    if (answer.status === 429 || answer.status >= 500) return checkIn(3_000)
    // The press may still be on its way, until the cloud would refuse it.
    if (pending && next.dataset['press'] === 'unsent' && age() < pressWithinMs + 2_000) return lost()
    pending = undefined
    if (covered || !isRunning() || !next.classList.contains('live')) return show(answer)
    setStep(Number(next.dataset['lit']))
    const queue = find('.queue')
    if (queue) queue.textContent = next.querySelector('.queue')?.textContent ?? ''
    checkIn(asksMs)
  }

  /** @param {number} step */
  function setStep(step) {
    if (!(step > Number(main.dataset['lit']))) return
    tick()
    main.dataset['lit'] = String(step)
    stepStartedMs = performance.now()
    const word = find('.count strong')
    const row = find(`.steps li:nth-child(${step})`)
    if (word) word.textContent = row?.dataset['word'] ?? ''
    if (say && row) say.textContent = row.firstChild?.textContent ?? ''
  }

  /** Counts in the ring and beside the present step. */
  function tick() {
    const nowMs = performance.now()
    const count = find('.count u')
    if (count && startedMs !== undefined) count.textContent = String(seconds(nowMs - startedMs))
    const time = find(`.steps li:nth-child(${main.dataset['lit']}) span`)
    const place = time?.dataset['s']
    if (time && place)
      time.textContent = place.replace(
        '{seconds}',
        ((nowMs - stepStartedMs) / 1000).toLocaleString(root.lang, {
          minimumFractionDigits: 1,
          maximumFractionDigits: 1,
        }),
      )
  }

  const steps = ['asked', 'calling', 'ringing', 'taken']

  /** Follows the opening of this page by its events, or by polling where they do not come. */
  function follow() {
    const nowMs = performance.now()
    startedMs ??= nowMs - Number(main.dataset['age'])
    stepStartedMs = nowMs - Number(main.dataset['stepAge'])
    repeat(200, tick)
    const source = new EventSource(`${location.pathname}/events`)
    undo.push(() => source.close())
    const told = (/** @type {MessageEvent} */ { data }) => {
      const { step } = JSON.parse(data)
      if (step === 'ended') check()
      else setStep(steps.indexOf(step) + 1)
    }
    source.addEventListener('step', told)
    source.addEventListener('reset', told)
    asksMs = 1_000
    source.onopen = () => {
      asksMs = 5_000
    }
    source.onerror = () => {
      asksMs = 1_000
      checkIn(asksMs)
    }
    checkIn(asksMs)
  }

  /** Enables a button once its time is over. @param {HTMLButtonElement} button */
  function wait(button) {
    const endMs = performance.now() + Number(button.dataset['wait']) * 1000
    const words = button.dataset['words'] ?? ''
    repeat(500, () => {
      const leftS = Math.ceil((endMs - performance.now()) / 1000)
      button.disabled = leftS > 0
      button.textContent =
        leftS > 0 ? words.replace('{seconds}', String(leftS)) : (button.dataset['then'] ?? '')
    })
  }

  /** Loads the photos of a page that works: on a slow line the button comes first. */
  function loadPhotos() {
    for (const place of main.querySelectorAll('.photo'))
      if (place instanceof HTMLElement) {
        const photo = new Image()
        photo.alt = ''
        photo.loading = 'lazy'
        photo.src = place.dataset['src'] ?? ''
        place.append(photo)
      }
  }

  /** Leaves the line to a press. */
  function dropPhotos() {
    for (const photo of main.querySelectorAll('img')) if (!photo.complete) photo.removeAttribute('src')
  }

  /** Prepares the received page. @param {number} atMs When it came, by `performance.now()`. */
  function arm(atMs) {
    shown = { perf: atMs, wall: Date.now() - (performance.now() - atMs) }
    for (const input of main.querySelectorAll('input[name=press]'))
      if (input instanceof HTMLInputElement && input.form) {
        nonces.set(input.form, input.value)
        input.remove()
      }
    for (const button of main.querySelectorAll('button')) if (button.dataset['wait']) wait(button)
    if (isRunning()) return follow()
    startedMs = undefined
    const { again } = main.dataset
    if (again) later(Number(again) * 1000, () => location.reload())
    if (find('[name=ask]')) later(4 * freshForMs, refresh)
    loadPhotos()
  }

  document.addEventListener('click', event => {
    const button = event.target instanceof Element ? event.target.closest('button') : null
    const form = button?.form
    if (!form?.dataset['press'] || !event.isTrusted) return
    event.preventDefault()
    if (!pending) press(form)
  })
  addEventListener('online', () => {
    offlineSince = ''
    if (!covered) return
    if (pending || covered.classList.contains('live')) check()
    else {
      uncover()
      if (main.classList.contains('ready')) refresh()
    }
  })
  addEventListener('offline', noteOffline)
  addEventListener('popstate', () => location.reload())
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return
    if (isRunning()) check()
    else if (find('[name=ask]') && performance.now() - shown.perf > freshForMs) refresh()
  })

  const [navigation] = performance.getEntriesByType('navigation')
  arm(/** @type {PerformanceNavigationTiming | undefined} */ (navigation)?.responseStart ?? 0)
  if (!navigator.onLine) noteOffline()
  if ('serviceWorker' in navigator && root.dataset['worker']) {
    const { trustedTypes } =
      /** @type {{ trustedTypes?: { createPolicy: (name: string, rules: object) => { createScriptURL: (url: string) => string } } }} */ (
        /** @type {unknown} */ (window)
      )
    const url = `/g/worker.js?language=${root.lang}`
    const policy = trustedTypes?.createPolicy('guest', { createScriptURL: () => url })
    navigator.serviceWorker.register(policy?.createScriptURL(url) ?? url, { scope: '/g/' }).catch(() => {})
  }
})()
