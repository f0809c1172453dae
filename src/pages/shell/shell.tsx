import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigation, useNavigationType, useSearchParams } from 'react-router'
import { AccountRequired } from '#accounts/web/book-now.tsx'
import { EndedSession } from '#accounts/web/end-session.tsx'
import { useSession } from '#accounts/web/session.ts'
import { useFacts } from '#content/web/facts.tsx'
import { setTransport } from '#foundation/call.ts'
import { late } from '#ui/late.tsx'
import { OpenDialogs } from '#ui/open-dialogs.tsx'
import { toast } from '#ui/toast.ts'
import { Toaster } from '#ui/toaster.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'

/** The frame around every page. */
export function Shell({ children }: { children: ReactNode }) {
  const { state } = useNavigation()
  useRouteChange()
  useViewChange()
  useEarlyClick()
  useOfflineLinks()
  return (
    <OpenDialogs>
      <a
        href="#content"
        className="fixed top-2 left-2 z-[80] -translate-y-24 rounded-full bg-sage-dark px-5 py-3 text-paper focus:translate-y-0"
      >
        Skip to content
      </a>
      <EndedSession />
      <StepUp />
      {state === 'loading' && <div aria-hidden className="progress" />}
      <Header />
      <Notice />
      <main id="content" tabIndex={-1} className="min-h-dvh flex-1 outline-none">
        {children}
      </main>
      <Footer />
      <AccountRequired />
      <Toaster />
    </OpenDialogs>
  )
}

declare global {
  interface Window {
    /** Set by `early-clicks.ts` in pages from the server, until they are hydrated. */
    early?: { click?: HTMLElement; stop: () => void }
  }
}

/** Repeats the last click on a control that needed scripts, once the session is known: the click may depend on it. */
function useEarlyClick(): void {
  const { isLoading } = useSession()
  useEffect(() => {
    if (isLoading) return
    const { early } = window
    delete window.early
    early?.stop()
    early?.click?.click()
  }, [isLoading])
}

/** The studio's notice of the day. */
function Notice() {
  const { notice } = useFacts()
  if (!notice) return null
  return (
    <aside aria-label="Notice" className="bg-sage-tint print:hidden">
      <p className="wrap py-3 wrap-anywhere">{notice.text}</p>
    </aside>
  )
}

/** Offline, a link inside the site shows a toast and leaves the page and its forms as they are. */
function useOfflineLinks(): void {
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      if (navigator.onLine || link?.origin !== location.origin || link.hash) return
      event.preventDefault()
      event.stopPropagation()
      toast({ title: 'You are offline', description: 'Please check your connection and try again.', tone: 'error' })
    }
    document.addEventListener('click', onClick, true)
    return () => document.removeEventListener('click', onClick, true)
  }, [])
}

/** A route change scrolls smoothly to the top and moves the focus to the heading, for screen readers. */
function useRouteChange(): void {
  const { pathname, hash } = useLocation()
  const first = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what the effect reacts to
  useEffect(() => {
    if (first.current) {
      first.current = false
      return
    }
    // A list that chooses the section keeps the focus: the next key may choose another.
    if (document.activeElement instanceof HTMLSelectElement) return
    const section = hash ? document.getElementById(hash.slice(1)) : null
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
    const behavior = calm ? 'auto' : 'smooth'
    if (section) section.scrollIntoView({ behavior })
    else scrollTo({ top: 0, behavior })
    const heading = section ?? document.querySelector<HTMLElement>('main h1') ?? document.querySelector('main')
    heading?.setAttribute('tabindex', '-1')
    heading?.focus({ preventScroll: true })
  }, [pathname, hash])
}

/** A link to another tab, view or member of the same page shows its top; going back, the browser restores the place. */
function useViewChange(): void {
  const [query] = useSearchParams()
  const { hash } = useLocation()
  const isBack = useNavigationType() === 'POP'
  const view = ['tab', 'view', 'user'].map((name) => query.get(name)).join()
  const former = useRef(view)
  useEffect(() => {
    if (former.current !== view && !isBack && !hash) scrollTo({ top: 0 })
    former.current = view
  }, [view, isBack, hash])
}

const [ConfirmItIsMe] = late(() => import('#accounts/web/step-up/confirm-it-is-me.tsx'))

type Prompt = { settle: (hasProved: boolean) => void }

/**
 * Part of the shell. If the server refuses a request with `stepUp`, it asks the user to confirm who they are and
 * repeats the request. Concurrent requests share one prompt.
 */
function StepUp() {
  const [prompt, setPrompt] = useState<Prompt>()
  const pending = useRef<Promise<boolean>>(undefined)
  const { key } = useLocation()
  useEffect(() => {
    const askOnce = () => {
      pending.current ??= new Promise<boolean>((settle) => setPrompt({ settle })).finally(() => {
        pending.current = undefined
        setPrompt(undefined)
      })
      return pending.current
    }
    setTransport(async (path, init) => {
      const response = await fetch(path, init)
      if (response.status !== 403 || !(await needsStepUp(response.clone()))) return response
      return (await askOnce()) ? await fetch(path, init) : response
    })
  }, [])
  // Leaving the page cancels it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the location is what ends it
  useEffect(() => () => prompt?.settle(false), [key, prompt])
  return prompt ? <ConfirmItIsMe onDone={prompt.settle} /> : null
}

async function needsStepUp(response: Response): Promise<boolean> {
  const body: unknown = await response.json().catch(() => undefined)
  return Object(body).stepUp === true
}
