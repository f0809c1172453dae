import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import type { CurrentUser } from '#accounts/contract.ts'
import { NewPasswordField } from '#accounts/web/new-password-field.tsx'
import { useSession } from '#accounts/web/session.ts'
import { signInApi } from '#accounts/web/sign-in/api.ts'
import { useSwitchUser } from '#accounts/web/sign-in/sign-in.ts'
import { errorMessage, formRefusal, Unreachable } from '#foundation/call.ts'
import { formatDay, formatLongDate } from '#foundation/dates.ts'
import { studioDate, studioTime } from '#foundation/instants.ts'
import { useHealth } from '#health/web/health.ts'
import { Button, ButtonLink, LineLink, TextLink } from '#ui/button.tsx'
import { FormError } from '#ui/field.tsx'
import { Form, PasswordField, TextField } from '#ui/form-fields.tsx'
import { ReadFailed } from '#ui/query-view.tsx'
import { refetchShown } from '#ui/refetch-shown.ts'
import { Spinner } from '#ui/spinner.tsx'
import { toast } from '#ui/toast.ts'
import { useSingleMutation } from '#ui/use-single-mutation.ts'
import type { Invitation } from '../../contract-companions.ts'
import { Agreements, useAgreements } from '../agreements.tsx'
import { bookingApi } from '../api.ts'

const HealthWizard = lazy(() => import('#health/web/wizard.tsx'))

/** An invitation from an emailed link, with the steps up to accepting it; also lets the person decline. */
export default function InvitationCard({ token }: { token: string }) {
  const [answer, setAnswer] = useState<string>()
  const { user, isLoading } = useSession()
  const invitation = useQuery({
    queryKey: [...bookingApi.readInvitation.key, token],
    queryFn: () => bookingApi.readInvitation.call({ body: { token } }),
    retry: false,
    gcTime: 0,
  })
  const decline = useSingleMutation({
    mutationFn: (never: boolean) => bookingApi.declineInvitation.call({ body: { token, never } }),
    onSuccess: ({ message }) => setAnswer(message),
  })
  if (invitation.error instanceof Unreachable)
    return (
      <ReadFailed title="The invitation could not be loaded." error={invitation.error} onAgain={invitation.refetch} />
    )
  if (answer || invitation.error) {
    return (
      <div className="grid justify-items-start gap-5">
        <p ref={focus} tabIndex={-1}>
          {answer ?? errorMessage(invitation.error ?? new Error(), 'The invitation could not be loaded.')}
        </p>
        <ButtonLink to="/booking" variant="secondary">
          See our classes
        </ButtonLink>
      </div>
    )
  }
  if (!invitation.data || isLoading) return <Spinner label="Loading your invitation" />
  const { class: studioClass, invitedBy, heldUntil, regular, isBooked } = invitation.data
  const until = Temporal.Instant.from(heldUntil)
  return (
    <section aria-labelledby="invitation" className="max-w-[560px]">
      <h2 id="invitation" className="title wrap-anywhere">
        {isBooked ? `Every week with ${invitedBy.firstName}?` : `A place next to ${invitedBy.firstName}`}
      </h2>
      <p className="mt-3 wrap-anywhere">
        {studioClass.title}, {formatLongDate(studioClass.date)}, {studioClass.startTime} - {studioClass.endTime}, with{' '}
        {studioClass.instructorName}
      </p>
      <p className="mt-1 mb-6 text-ink-soft">
        {isBooked
          ? 'This class is booked for you, whatever you answer. Please answer by '
          : `${invitedBy.firstName} has paid for it. We hold it for you until `}
        {studioTime(until)} on {formatDay(studioDate(until).toString())}.
      </p>
      {regular && (
        <p className="-mt-3 mb-6 text-ink-soft">
          Once you accept, we book every {regular.day} at {regular.startTime} for you too, and both ticks cover these
          classes. {invitedBy.firstName} pays. You can leave out a date or stop at any time.
        </p>
      )}
      {user ? (
        <Accept user={user} token={token} isBooked={isBooked} />
      ) : (
        <Visitor invitation={invitation.data} token={token} />
      )}
      <div className="mt-6 flex flex-wrap border-t border-line pt-3 *:first:-ml-5">
        <Button variant="quiet" small busy={decline.isPending} onClick={() => decline.mutate(false)}>
          Decline
        </Button>
        <Button variant="quiet" small busy={decline.isPending} onClick={() => decline.mutate(true)}>
          Don’t invite me again
        </Button>
      </div>
      <FormError>{decline.error && errorMessage(decline.error, 'That did not work. Please try again.')}</FormError>
    </section>
  )
}

/** Moves on to what has replaced the button that was pressed. */
const focus = (element: HTMLElement | null) => element?.focus()

/** Takes over a new session and stays with the invitation. */
function useStay(token: string) {
  const switchUser = useSwitchUser()
  const navigate = useNavigate()
  return (user: CurrentUser) => {
    switchUser(user)
    void navigate(`/dashboard#invitation=${token}`, { replace: true })
  }
}

function Visitor(props: { invitation: Invitation; token: string }) {
  return props.invitation.hasAccount ? <LogIn {...props} /> : <SignUp {...props} />
}

function LogIn({ invitation, token }: { invitation: Invitation; token: string }) {
  const stay = useStay(token)
  const [needsSecondStep, setNeedsSecondStep] = useState(false)
  const form = useForm({ defaultValues: { password: '' } })
  const login = useSingleMutation({
    mutationFn: ({ password }: { password: string }) =>
      signInApi.login.call({ body: { username: invitation.email, password } }),
    onSuccess: (answer) => ('id' in answer ? stay(answer) : setNeedsSecondStep(true)),
  })
  if (needsSecondStep)
    return (
      <p role="status">
        Your account asks for a second step. Please <TextLink to="/auth">log in</TextLink> first, then open the link in
        your email again.
      </p>
    )
  return (
    <Form form={form} onSubmit={login.mutate} className="grid gap-5">
      <p className="wrap-anywhere">You already have an account for {invitation.email}. Log in to accept.</p>
      <PasswordField name="password" label="Password" autoComplete="current-password" />
      <FormError>{login.error && errorMessage(login.error, 'Invalid username or password')}</FormError>
      <Button type="submit" busy={login.isPending} className="justify-self-start">
        Log in
      </Button>
      <LineLink to="/auth?forgot">Forgot your password?</LineLink>
    </Form>
  )
}

function SignUp({ invitation, token }: { invitation: Invitation; token: string }) {
  const stay = useStay(token)
  const { firstName, lastName, email } = invitation
  const form = useForm({ defaultValues: { firstName, lastName, password: '' } })
  const signUp = useSingleMutation({
    mutationFn: (typed: { firstName: string; lastName: string; password: string }) =>
      bookingApi.signUpInvited.call({ body: { ...typed, token } }),
    onSuccess: stay,
  })
  return (
    <Form form={form} onSubmit={signUp.mutate} error={signUp.error} className="grid gap-5">
      <p className="wrap-anywhere">To accept, you need an account for {email}.</p>
      <TextField name="firstName" label="First name" autoComplete="given-name" />
      <TextField name="lastName" label="Last name" autoComplete="family-name" />
      <NewPasswordField label="Password" known={[firstName, lastName, email]} />
      <FormError>{formRefusal(signUp.error, 'Your account could not be created. Please try again.')}</FormError>
      <Button type="submit" busy={signUp.isPending} className="justify-self-start">
        Continue
      </Button>
    </Form>
  )
}

function Accept({ user, token, isBooked }: { user: CurrentUser; token: string; isBooked: boolean }) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const health = useHealth()
  const [step, setStep] = useState(0)
  const [hasJustSaved, setJustSaved] = useState(false)
  const agreements = useAgreements()
  const accept = useSingleMutation({
    mutationFn: () => bookingApi.acceptInvitation.call({ body: { token } }),
    onSuccess: async (booking) => {
      const description = isBooked
        ? 'We’ll email you the dates that are booked for you.'
        : `Your place in ${booking.class.title} is booked.`
      toast({ title: isBooked ? 'You Come Every Week' : 'Booking Confirmed', description })
      await refetchShown(queries)
      void navigate('/dashboard', { replace: true })
    },
  })
  if (health.isPending) return <Spinner label="Checking your health information" />
  if (!health.isComplete)
    return (
      <Step title="First, your health information">
        <Suspense fallback={<Spinner label="Loading the questionnaire" />}>
          <HealthWizard
            userId={user.id}
            step={step}
            onStep={setStep}
            questionnaire={health.questionnaire}
            contact={health.contact}
            update={false}
            onSaved={() => setJustSaved(true)}
            onLeave={() => navigate('/dashboard')}
          />
        </Suspense>
      </Step>
    )
  return (
    <div className="grid gap-2" tabIndex={-1} ref={hasJustSaved ? focus : undefined}>
      <Agreements {...agreements} />
      <FormError>
        {accept.error && errorMessage(accept.error, 'The invitation could not be accepted. Please try again.')}
      </FormError>
      <Button disabled={!agreements.areGiven} runs={accept} className="mt-3 justify-self-start">
        {isBooked ? 'Come every week' : 'Accept the place'}
      </Button>
    </div>
  )
}

const Step = ({ title, children }: { title: string; children: ReactNode }) => (
  <>
    <h3 className="mb-4 font-medium">{title}</h3>
    {children}
  </>
)
