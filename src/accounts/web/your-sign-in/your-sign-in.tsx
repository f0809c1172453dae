import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { CallError, formRefusal } from '#foundation/call.ts'
import { formatInstant, formatInstantDate } from '#foundation/instants.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, buttonClass, LineLink } from '#ui/button.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { FormError } from '#ui/field.tsx'
import { Form, PasswordField } from '#ui/form-fields.tsx'
import { lazyResolver } from '#ui/lazy-resolver.ts'
import { QueryView } from '#ui/query-view.tsx'
import { Section } from '#ui/section.tsx'
import { toast, toastError } from '#ui/toast.ts'
import type { CurrentUser } from '../../contract.ts'
import type { UserSession } from '../../contract-sessions.ts'
import { accountsApi } from '../api.ts'
import { loadSchemas, preloadForm } from '../auth-forms.ts'
import { clearBrowserStorage, LogoutLink } from '../end-session.tsx'
import { useMemberMutation } from '../member-mutation.ts'
import { NewPasswordField } from '../new-password-field.tsx'
import { useSession } from '../session.ts'
import { Notifications } from './notifications.tsx'
import { CHECK_TEXT, CHECK_TITLE, PasskeyCheck } from './passkey-list.tsx'
import { SignInMethods } from './sign-in-methods.tsx'

/** Sessions, password, passkeys and second steps. `back`: the page that opened this one. */
export default function YourSignIn({ back }: { back: { to: string; label: string } }) {
  const { user } = useSession()
  if (!user) return null
  return (
    <div className="max-w-[760px]">
      <LineLink to={back.to}>{back.label}</LineLink>
      <h1 className="mt-2 font-serif text-[2.25rem]/[1.05] tracking-[-0.01em]">Your sign-in</h1>
      <SessionsSection />
      <Notifications />
      <ChangePassword user={user} />
      <SignInMethods />
    </div>
  )
}

const METHODS: Record<UserSession['method'], string> = {
  sign_up: 'by signing up',
  password: 'with a password',
  mailed_link: 'with a mailed link',
  passkey: 'with a passkey',
  second_factor: 'with a password and a second step',
}

function SessionsSection() {
  const sessions = useQuery(accountsApi.listSessions.queryOptions())
  return (
    <Section title="Where you are signed in" gap="" className="mt-10">
      <p className="mt-2 max-w-[60ch] text-ink-soft">
        If you do not recognise a browser, sign it out and change your password.
      </p>
      <QueryView query={sessions} failed="The list of your devices could not be loaded.">
        {(all) => <Sessions all={all} />}
      </QueryView>
    </Section>
  )
}

function Sessions({ all }: { all: UserSession[] }) {
  const endOne = useEndSession()
  const endOthers = useEndOtherSessions()
  const endAll = useEndAllSessions()
  return (
    <>
      <ul className="mt-5 divide-y divide-line border-y border-line">
        {all.map((session) => (
          <li key={session.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4">
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-x-3 gap-y-2 font-medium">
                {deviceName(session)}
                {session.isCurrent && <Badge tone="ok">This device</Badge>}
                {session.isNotified && <Badge tone="sand">Notifications on</Badge>}
              </p>
              <p className="mt-1 text-small/even text-ink-mute">
                {session.isCurrent ? 'In use now' : `Last used ${formatInstant(session.lastUsedAt)}`} · signed in{' '}
                {METHODS[session.method]} on {formatInstantDate(session.beganAt)}
              </p>
            </div>
            {session.isCurrent ? (
              <LogoutLink className={buttonClass({ variant: 'secondary', small: true })}>Sign out</LogoutLink>
            ) : (
              <Button
                variant="secondary"
                small
                aria-label={`Sign out ${deviceName(session)}`}
                busy={endOne.isPending && endOne.variables?.id === session.id}
                onClick={() => endOne.mutate(session)}
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      {all.length > 1 && (
        <div className="mt-5 flex flex-wrap gap-3">
          <Button variant="secondary" small runs={endOthers}>
            Sign out everywhere else
          </Button>
          <Button variant="secondary" small runs={endAll}>
            Sign out everywhere
          </Button>
        </div>
      )}
    </>
  )
}

const resolver = lazyResolver(async () => (await loadSchemas()).changePassword)
const EMPTY = { currentPassword: '', password: '', confirmPassword: '' }

function ChangePassword({ user }: { user: CurrentUser }) {
  const form = useForm({ resolver, defaultValues: EMPTY })
  const { data: factors } = useQuery(accountsApi.getFactors.queryOptions())
  const [isChecking, setChecking] = useState(false)
  const change = useChangePassword({
    onDone: () => {
      form.reset()
      // A toast would cover the dialog.
      if (factors?.passkeys.length) setChecking(true)
      else toast({ title: 'Password changed', description: 'Every other browser is signed out.' })
    },
  })
  return (
    <Section title="Change your password" gap="" className="mt-14">
      <p className="mt-2 max-w-[60ch] text-ink-soft">
        We’ll sign out every other browser and send you an email to confirm the change.
      </p>
      <Form
        form={form}
        onSubmit={({ currentPassword, password }) => change.mutate({ currentPassword, password })}
        error={change.error}
        onFocus={preloadForm}
        className="mt-5 grid max-w-[420px] gap-5"
      >
        {/* Password managers need the username. */}
        <input hidden readOnly name="username" autoComplete="username" value={user.username} />
        <PasswordField name="currentPassword" label="Current password" autoComplete="current-password" />
        <NewPasswordField label="New password" known={[user.email, user.firstName, user.lastName]} />
        <PasswordField name="confirmPassword" label="Confirm new password" autoComplete="new-password" />
        <FormError>{change.refusal}</FormError>
        <Button type="submit" variant="secondary" busy={change.isPending} className="justify-self-start">
          Change password
        </Button>
      </Form>
      {isChecking && (
        <Dialog onClose={() => setChecking(false)} title={CHECK_TITLE} description={CHECK_TEXT}>
          <PasskeyCheck />
          <DialogActions>
            <Button onClick={() => setChecking(false)}>Done</Button>
          </DialogActions>
        </Dialog>
      )}
    </Section>
  )
}

const notEnded = (error: Error) => toastError(error, 'The browser could not be signed out. Please try again.')

function deviceName({ browser, system, isCurrent }: UserSession): string {
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? (isCurrent ? 'This browser' : 'Unknown browser')
}

function useEndSession() {
  const done = { message: '' }
  return useMemberMutation({
    mutationFn: async ({ id }: UserSession) => {
      try {
        return await accountsApi.endOneSession.call({ params: { id } })
      } catch (error) {
        // It has ended already.
        if (error instanceof CallError && error.status === 404) return done
        throw error
      }
    },
    onDone: (_, session) => toast({ title: 'Signed out', description: `${deviceName(session)} is signed out.` }),
    onError: notEnded,
  })
}

function useEndOtherSessions() {
  return useMemberMutation({
    mutationFn: () => accountsApi.endSessions.call(),
    onDone: () => toast({ title: 'Signed out', description: 'Every other browser is signed out.' }),
    onError: notEnded,
  })
}

/** Signs out every browser, including this one, and opens the home page. */
function useEndAllSessions() {
  return useMemberMutation({
    mutationFn: () => accountsApi.endSessions.call({ query: { all: 'true' } }),
    changesNothing: true,
    onSuccess: () => {
      clearBrowserStorage()
      location.replace('/')
    },
    onError: notEnded,
  })
}

/** `refusal`: an error that belongs to no field. */
function useChangePassword({ onDone }: { onDone: () => void }) {
  const change = useMemberMutation({
    mutationFn: (body: { currentPassword: string; password: string }) => accountsApi.changePassword.call({ body }),
    onDone,
  })
  const isSessionOver = change.error instanceof CallError && change.error.status === 401
  const refusal = formRefusal(change.error, 'The password could not be changed. Please try again.')
  return { ...change, refusal: isSessionOver ? undefined : refusal }
}
