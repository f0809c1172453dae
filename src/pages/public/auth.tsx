import { useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { LoginForm } from '../../accounts/web/login-form.tsx'
import { RegisterForm } from '../../accounts/web/register-form.tsx'
import { useSession } from '../../accounts/web/session.ts'
import { pageMeta } from '../../content/seo.ts'
import { pictures } from '../../content/web/pictures.ts'
import { studio } from '../../studio.ts'
import { Picture } from '../../ui/picture.tsx'
import { Tabs } from '../../ui/tabs.tsx'

export const meta = () =>
  pageMeta({ title: 'Log in or sign up', description: `Your account at ${studio.name}.`, path: '/auth' })

type Tab = 'login' | 'register'

/** Two tabs beside a picture. Whoever is logged in already goes on to the dashboard. */
export default function Auth() {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const { isAuthenticated } = useSession()
  const [tab, setTab] = useState<Tab>('login')
  const asked = query.get('tab') === 'register' ? 'register' : undefined

  useEffect(() => {
    if (isAuthenticated) navigate('/dashboard', { replace: true })
  }, [isAuthenticated, navigate])
  useEffect(() => {
    if (asked) setTab(asked)
  }, [asked])

  return (
    <div className="wrap grid min-h-[calc(100dvh-120px)] gap-12 py-8 lg:grid-cols-2 lg:py-4">
      <div className="mx-auto w-full max-w-[420px] self-center py-4 lg:py-12">
        <h1 className="display-page">{tab === 'login' ? 'Welcome back' : 'Join the studio'}</h1>
        <p className="mt-3 mb-8 text-ink-soft">
          {tab === 'login' ? 'Log in to book, and to see your passes.' : 'An account holds your passes and bookings.'}
        </p>
        <Tabs
          label="Login or sign up"
          tabs={[
            { value: 'login', label: 'Login', panel: <LoginForm /> },
            { value: 'register', label: 'Sign Up', panel: <RegisterForm onVerify={() => setTab('login')} /> },
          ]}
          value={tab}
          onChange={setTab}
        />
      </div>
      <aside className="relative hidden min-h-[640px] overflow-hidden rounded-card bg-sand lg:block">
        <Picture
          of={pictures.galleryWindow}
          alt=""
          eager
          sizes="50vw"
          className="absolute inset-0 h-full w-full object-cover"
        />
        <div className="absolute inset-x-5 bottom-5 rounded-row bg-paper/96 p-7">
          <p className="font-serif text-[1.75rem]/[1.1]">
            {studio.session.minutes} minutes, two people at most, <em>one teacher.</em>
          </p>
          <p className="mt-3 text-base text-ink-soft">
            {studio.instructor.name} plans every session around the person in it. Buy a pass, tell us about your health,
            and choose your time.
          </p>
        </div>
      </aside>
    </div>
  )
}
