// Inlined in the offline page. Shows the next class if a member seems to be signed in on this device, and reloads when
// there is a connection.
{
  const { key = '', timeZone } = document.currentScript?.dataset ?? {}
  const write = (id: string, text: string) => {
    const element = document.getElementById(id)
    if (element) element.textContent = text
  }
  const reload = () => location.reload()
  // A reload would call back a member who is on the way to another page. A click on the phone number looks the same,
  // but stays.
  let isLeaving = false
  addEventListener('beforeunload', () => {
    isLeaving = true
  })
  if (!document.cookie.includes(`${key}=yes`)) localStorage.removeItem(key)
  try {
    const stored: import('#booking/web/next-classes.ts').NextClasses = JSON.parse(localStorage.getItem(key) ?? '')
    const next = stored.classes.find(({ endsAt }) => Date.parse(endsAt) > Date.now())
    if (next) {
      write('class', next.title)
      write('day', next.day)
      write('time', `${next.startTime} to ${next.endTime}`)
      const savedAt = new Date(stored.savedAt)
      const saved = savedAt.toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone })
      write('saved', `Last updated on ${saved}.`)
      document.getElementById('next')?.removeAttribute('hidden')
    }
  } catch {
    // Nothing is stored.
  }
  document.getElementById('again')?.addEventListener('click', reload)
  addEventListener('online', () => setTimeout(reload, isLeaving ? 3_000 : 0))
  const { serviceWorker } = navigator
  if (navigator.onLine && serviceWorker?.controller) {
    write('title', 'Just a moment')
    write('words', 'Your connection is slow. The page will open here as soon as it has loaded.')
    serviceWorker.addEventListener('message', reload)
    serviceWorker.startMessages()
    serviceWorker.controller.postMessage('waiting')
  }
}
