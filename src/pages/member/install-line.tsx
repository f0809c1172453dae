import x from '@lucide/icons/icons/x'
import { studio } from '#studio.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { createStore } from '#ui/store.ts'

const [useOffer, changeOffer] = createStore<'prompt' | 'share' | null>(null)

/** From this booking on it is worth a place among the apps of a phone. */
const ENOUGH_BOOKINGS = 2
const YEAR_SECONDS = 365 * 86_400

/** A class has just been booked here, the member's `count`-th. Once in a year this device is offered an icon for the site. */
export function offerAfterBooking(count: number): void {
  const offer = offerHere()
  if (count < ENOUGH_BOOKINGS || !offer || wasOffered()) return
  noteOffer()
  changeOffer(() => offer)
}

/** A browser that can ask; Safari on a phone, which can only be explained; or neither, as where it is installed already. */
function offerHere(): 'prompt' | 'share' | null {
  if (matchMedia('(display-mode: standalone)').matches) return null
  if (window.installPrompt) return 'prompt'
  return 'standalone' in navigator && !navigator.standalone ? 'share' : null
}

const cookie = () => `${location.protocol === 'https:' ? '__Host-' : ''}install-offered=yes`
const wasOffered = () => document.cookie.split('; ').includes(cookie())

/** As a cookie: logging out clears everything else that a page could remember it by. */
function noteOffer(): void {
  const secure = location.protocol === 'https:' ? '; secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `${cookie()}; path=/; max-age=${YEAR_SECONDS}; samesite=lax${secure}`
}

const dismiss = () => changeOffer(() => null)

/** Offers, once and quietly, to put the site among the apps of a phone. */
export function InstallLine() {
  const offer = useOffer()
  if (!offer) return null
  const install = () => {
    dismiss()
    void window.installPrompt?.prompt()
  }
  return (
    <section aria-label="On your phone" className="wrap pt-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 rounded-card bg-sage-tint px-5 py-2 sm:px-7">
        <p className="min-w-0 flex-1 basis-40 py-2">
          {offer === 'prompt'
            ? `Keep your next class one tap away, with ${studio.name} on your home screen.`
            : 'Keep your next class one tap away: tap Share, then Add to Home Screen.'}
        </p>
        {offer === 'prompt' && (
          <Button variant="secondary" small onClick={install}>
            Add it
          </Button>
        )}
        <button
          type="button"
          aria-label="Not now"
          onClick={dismiss}
          className="-mr-3 grid size-11 flex-none place-items-center rounded-full"
        >
          <Icon of={x} aria-hidden size={20} strokeWidth={1.5} />
        </button>
      </div>
    </section>
  )
}
