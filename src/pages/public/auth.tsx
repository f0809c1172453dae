import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { useLoginForm, useRegisterForm } from '#accounts/web/auth-forms.ts'
import { useSession } from '#accounts/web/session.ts'
import { ForgotPassword, FromMail, LoginForm } from '#accounts/web/sign-in/login-form.tsx'
import { useLogin, useWelcome } from '#accounts/web/sign-in/sign-in.ts'
import { pageMeta } from '#content/seo.ts'
import type { MetaArguments } from '#content/site.ts'
import { useFacts } from '#content/web/facts.tsx'
import { usePicture } from '#content/web/shown-pictures.ts'
import { whoTeaches } from '#facts/rules.ts'
import { studio } from '#studio.ts'
import { Breadcrumb } from '#ui/breadcrumb.tsx'
import { late } from '#ui/late.tsx'
import { Picture } from '#ui/picture.tsx'
import { preloadPicture } from '#ui/picture-source.ts'
import { PageSpinner, Spinner } from '#ui/spinner.tsx'
import { useIsHydrated } from '#ui/store.ts'
import { Tabs } from '#ui/tabs.tsx'

export const meta = (args: MetaArguments) =>
  pageMeta(args, ({ name }) => ({
    title: 'Log in or sign up',
    description: `Your account at ${name}: passes and bookings in one place. Log in, or sign up in a minute.`,
    path: '/auth',
  }))

/** As tall as the screen, so usually wider than its half. Phones do not load it. */
const ASIDE = 'max(46vw, 76vh)'

/** Most visitors log in, so the sign-up form loads when it is likely to be needed. */
const [RegisterForm, loadRegisterForm] = late(() => import('#accounts/web/register/register-form.tsx'))
const InvitationCard = lazy(() => import('#booking/web/companions/invitation.tsx'))
const [SecondStep] = late(() => import('#accounts/web/sign-in/second-step.tsx'))
/** If it fails, the tab tries again. */
const soonRegister = () => void loadRegisterForm().catch(() => {})

const HEADINGS = {
  login: { title: 'Welcome back', lede: 'Log in to book, and to see your passes.' },
  register: { title: 'Join the studio', lede: 'An account holds your passes and bookings.' },
  /** The login form, after a sign-up. */
  unverified: { title: 'Check your email', lede: 'We’ve emailed you a link. Follow it, then log in.' },
}

/**
 * Two tabs next to a picture. `?forgot` requests a link for a new password. Emailed links open `#reset=<token>`,
 * `#invitation=<token>`, `#verify=<token>`, `#email=<token>` and `#undo=<token>`; fragments are not sent to the server.
 * A signed-in visitor goes on to the dashboard, except from such a link.
 */
export default function Auth() {
  preloadPicture(usePicture('gallery1'), ASIDE, '(min-width: 1024px)')
  const [query] = useSearchParams()
  const { hash } = useLocation()
  const navigate = useNavigate()
  const { user, isAuthenticated } = useSession()
  const next = user?.secondStep ? '/admin' : '/dashboard'
  const [view, setView] = useState<keyof typeof HEADINGS>('login')
  const login = useLoginForm()
  const signIn = useLogin()
  const welcome = useWelcome()
  const signUp = useRegisterForm()
  // The HTML is prerendered, so the query string is read after hydration.
  const isLive = useIsHydrated()
  const asked = isLive && query.get('tab') === 'register'
  const mailed = new URLSearchParams(isLive ? hash.slice(1) : '')
  // A companion's token has two parts; the invitation of a member whom the studio has added has one.
  const invitation = mailed.get('invitation')
  const companion = invitation?.includes('.') ? invitation : undefined
  const isMailed = ['verify', 'undo', 'email', 'reset', 'invitation'].some((name) => mailed.get(name))
  const forgot = isLive && query.has('forgot')

  useEffect(() => {
    if (isAuthenticated && companion) navigate(`/dashboard${hash}`, { replace: true })
    else if (isAuthenticated && !isMailed) navigate(next, { replace: true })
  }, [isAuthenticated, isMailed, companion, hash, next, navigate])
  useEffect(() => {
    if (asked) setView('register')
  }, [asked])

  if (companion) {
    return (
      <AuthLayout title="You are invited" lede="Come along to a class for two.">
        <Suspense fallback={<Spinner label="Loading your invitation" />}>
          <InvitationCard token={companion} />
        </Suspense>
      </AuthLayout>
    )
  }
  if (isMailed) {
    return (
      <Suspense fallback={<PageSpinner />}>
        <FromMail mailed={mailed} frame={AuthLayout} />
      </Suspense>
    )
  }
  if (forgot) {
    const typed = login.getValues('username')
    return (
      <AuthLayout
        title="Forgot your password?"
        lede="Enter your email address, and we’ll email you a link to set a new one."
      >
        <Suspense fallback={<Spinner label="Loading..." />}>
          <ForgotPassword email={typed.includes('@') ? typed : ''} />
        </Suspense>
      </AuthLayout>
    )
  }
  if (signIn.data && 'secondFactorRequired' in signIn.data) {
    return (
      <AuthLayout focusHeading title="One more step" lede="Your password is right. Now confirm that it is you.">
        <SecondStep onSignedIn={welcome} onAgain={signIn.reset} />
      </AuthLayout>
    )
  }
  const verifyFirst = (email: string) => {
    // Perhaps of another address.
    signIn.reset()
    login.setValue('username', email)
    setView('unverified')
  }
  const isUnverified = view === 'unverified'
  return (
    <AuthLayout focusHeading={isUnverified} {...HEADINGS[view]}>
      <Tabs
        label="Login or sign up"
        tabs={[
          {
            value: 'login',
            label: 'Login',
            panel: <LoginForm form={login} login={signIn} isUnverified={isUnverified || signIn.isUnverified} />,
          },
          { value: 'register', label: 'Sign Up', panel: <RegisterForm form={signUp} onVerify={verifyFirst} /> },
        ]}
        value={isUnverified ? 'login' : view}
        onChange={setView}
        onApproach={soonRegister}
      />
    </AuthLayout>
  )
}

/**
 * A form next to the picture. It always starts at the same height, so that nothing jumps.
 *
 * @param props.focusHeading focuses the heading, because the element that had focus is gone
 */
function AuthLayout({
  title,
  lede,
  focusHeading = false,
  children,
}: {
  title: string
  lede: string
  focusHeading?: boolean
  children: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (focusHeading) heading.current?.focus()
  }, [focusHeading])
  return (
    <div className="wrap workroom grid min-h-[calc(100dvh-120px)] gap-12 py-8 lg:grid-cols-2 lg:py-4">
      <div
        data-toasts-above
        className={`${useIsHydrated() ? '' : 'before-invitation '}w-full max-w-[420px] py-4 max-lg:mx-auto lg:pt-[clamp(32px,9vh,96px)] lg:pb-16`}
      >
        <Breadcrumb items={[{ label: 'Log in or sign up' }]} />
        <h1
          ref={heading}
          tabIndex={-1}
          className="mt-3 font-serif text-[clamp(2.5rem,1.9rem+2.2vw,3.5rem)]/[1.02] tracking-[-0.02em] outline-none"
        >
          {title}
        </h1>
        <p className="mt-3 mb-8 text-ink-soft">{lede}</p>
        {children}
      </div>
      <div className="sticky top-24 hidden h-[calc(100dvh-152px)] min-h-[560px] self-start overflow-hidden rounded-card bg-sand lg:block">
        <Picture
          of={usePicture('gallery1')}
          alt=""
          sizes={ASIDE}
          className="absolute inset-0 h-full w-full object-cover"
        />
        <div className="absolute inset-x-5 bottom-5 rounded-row bg-paper/96 p-7">
          <p className="font-serif text-[1.75rem]/[1.1]">
            {studio.session.minutes} minutes, two people at most, <em>one teacher.</em>
          </p>
          <p className="mt-3 text-base text-ink-soft">
            {whoTeaches(useFacts())} plans every session around the person in it. Buy a pass, tell us about your health,
            and choose your time.
          </p>
        </div>
      </div>
    </div>
  )
}
