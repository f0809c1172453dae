import type { NextClasses } from '#booking/web/next-classes.ts'

/**
 * Runs in the offline page, which has no other script: says what is next where somebody seems to be signed in here, and goes
 * on to the page that was asked for as soon as it can be had.
 */
function showNextClass(key: string, timeZone: string): void {
  const write = (id: string, text: string) => {
    const element = document.getElementById(id)
    if (element) element.textContent = text
  }
  const again = () => location.reload()
  // Whoever is on the way to another page is not called back to this one. A call to the studio looks the same, but stays.
  let isLeaving = false
  addEventListener('beforeunload', () => {
    isLeaving = true
  })
  if (!document.cookie.includes(`${key}=yes`)) localStorage.removeItem(key)
  try {
    const { savedAt, classes }: NextClasses = JSON.parse(localStorage.getItem(key) ?? '')
    const next = classes.find(({ endsAt }) => Date.parse(endsAt) > Date.now())
    if (next) {
      write('class', next.title)
      write('day', next.day)
      write('time', `${next.startTime} to ${next.endTime}`)
      const saved = new Date(savedAt).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone })
      write('saved', `As we knew it on ${saved}.`)
      document.getElementById('next')?.removeAttribute('hidden')
    }
  } catch {
    // Nothing is kept here.
  }
  document.getElementById('again')?.addEventListener('click', again)
  addEventListener('online', () => setTimeout(again, isLeaving ? 3_000 : 0))
  const { serviceWorker } = navigator
  if (!navigator.onLine || !serviceWorker?.controller) return
  write('title', 'Just a moment')
  write('words', 'The connection is slow. Your page opens here by itself as soon as it comes.')
  serviceWorker.addEventListener('message', again)
  serviceWorker.startMessages()
  serviceWorker.controller.postMessage('waiting')
}

/** As text for the page, always the same for a studio, so that its hash is. Indents are left out. */
export const showNextClassText = (key: string, timeZone: string) =>
  `(${showNextClass})(${JSON.stringify(key)},${JSON.stringify(timeZone)})`.replace(/\n\s+/g, '\n')
