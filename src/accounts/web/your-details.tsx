import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, type Ref, useId, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { formRefusal } from '#foundation/call.ts'
import { formatInstant } from '#foundation/instants.ts'
import { Button, LineLink } from '#ui/button.tsx'
import { Tick } from '#ui/choices.tsx'
import { FormError } from '#ui/field.tsx'
import { Form, TextField } from '#ui/form-fields.tsx'
import { lazyResolver } from '#ui/lazy-resolver.ts'
import { QueryView } from '#ui/query-view.tsx'
import { toast, toastError } from '#ui/toast.ts'
import type { CurrentUser } from '../contract.ts'
import type { PendingEmail, ProfileForm } from '../contract-profile.ts'
import { accountsApi } from './api.ts'
import { loadSchemas, preloadForm } from './auth-forms.ts'
import { useMemberMutation } from './member-mutation.ts'
import { sessionApi, useSession } from './session.ts'

/** The member's own name, phone number and email address. `back`: the page that opened this one. */
export default function YourDetails({ back }: { back: { to: string; label: string } }) {
  const { user } = useSession()
  if (!user) return null
  return (
    <div>
      <LineLink to={back.to}>{back.label}</LineLink>
      <h1 className="mt-2 font-serif text-[2.25rem]/[1.05] tracking-[-0.01em]">Your details</h1>
      <div className="grid gap-x-16 lg:grid-cols-2">
        <NameAndPhone user={user} />
        <EmailAddress user={user} />
      </div>
    </div>
  )
}

function Section({
  title,
  heading,
  children,
}: {
  title: string
  heading?: Ref<HTMLHeadingElement>
  children: ReactNode
}) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="mt-8 sm:mt-10">
      <h2 id={id} ref={heading} tabIndex={-1} className="title outline-none">
        {title}
      </h2>
      {children}
    </section>
  )
}

const profileResolver = lazyResolver(async () => (await loadSchemas()).profile)
const oneNameResolver = lazyResolver(async () => (await loadSchemas()).oneNameProfile)

function NameAndPhone({ user }: { user: CurrentUser }) {
  const { firstName, lastName, phone } = user
  const hasOneName = lastName === ''
  const queries = useQueryClient()
  const resolver = hasOneName ? oneNameResolver : profileResolver
  const form = useForm({ resolver, values: { firstName, lastName, phone: phone ?? '' } })
  const hasPhone = form.watch('phone').trim() !== ''
  const texts = useTexts(hasPhone)
  const save = useMemberMutation({
    mutationFn: (body: ProfileForm) =>
      accountsApi.editProfile.call({ body: { ...body, lastName: body.lastName || undefined } }),
    onDone: () => {
      if (texts.isChanged) texts.save()
      else toast({ title: 'Saved', description: 'Your details are up to date.' })
      void queries.invalidateQueries({ queryKey: sessionApi.getCurrentUser.key })
    },
  })
  return (
    <Section title="Name and phone">
      <Form
        form={form}
        onSubmit={save.mutate}
        error={save.error}
        onFocus={preloadForm}
        className="mt-5 grid max-w-[420px] gap-5"
      >
        <TextField name="firstName" label="First name" autoComplete="given-name" />
        <TextField name="lastName" label="Last name" optional={hasOneName} autoComplete="family-name" />
        <TextField
          name="phone"
          label="Phone"
          optional
          type="tel"
          autoComplete="tel"
          help="So that we can reach you if a class changes at short notice."
        />
        {texts.isWanted !== null && (
          <Tick
            label="Text me about my classes at short notice"
            help={
              hasPhone
                ? 'If a class within 48 hours is moved or cancelled, if a place is offered to you, or before a place you hold ends. We email you as well.'
                : 'Add a UK mobile number first. We email you as well.'
            }
            checked={texts.isWanted}
            disabled={!hasPhone}
            onChange={({ target }) => texts.choose(target.checked)}
          />
        )}
        <FormError>{formRefusal(save.error, 'Your details could not be saved. Please try again.')}</FormError>
        <Button type="submit" busy={save.isPending || texts.isPending} className="justify-self-start">
          Save
        </Button>
      </Form>
    </Section>
  )
}

/** The choice about texts, which has an endpoint of its own; null on a site that sends none. */
function useTexts(hasPhone: boolean) {
  const saved = useQuery(accountsApi.getTextChoice.queryOptions()).data?.wanted ?? null
  const [chosen, choose] = useState<boolean>()
  const { mutate, isPending } = useMemberMutation({
    mutationFn: (wanted: boolean) => accountsApi.chooseTexts.call({ body: { wanted } }),
    onDone: ({ wanted }) =>
      toast({ title: 'Saved', description: wanted ? 'We’ll text you.' : 'We won’t text you any more.' }),
    onError: () => {
      const description = 'Your name and phone number are saved, but your choice about texts is not. Please try again.'
      toast({ title: 'Texts Not Saved', description, tone: 'error' })
    },
  })
  const isWanted = saved === null ? null : hasPhone && (chosen ?? saved)
  const isChanged = chosen !== undefined && isWanted !== saved
  return { isWanted, choose, isChanged, isPending, save: () => mutate(isWanted === true) }
}

function EmailAddress({ user }: { user: CurrentUser }) {
  const pending = useQuery(accountsApi.getEmailChange.queryOptions())
  const heading = useRef<HTMLHeadingElement>(null)
  // The pressed button disappears with its form.
  const focusHeading = () => heading.current?.focus({ preventScroll: true })
  return (
    <Section title="Email address" heading={heading}>
      <p className="mt-2 wrap-anywhere text-ink-soft">
        We email <strong className="font-medium text-ink">{user.email}</strong>.
      </p>
      <QueryView query={pending} failed="The change of your email address could not be loaded.">
        {(waiting) =>
          waiting ? (
            <WaitingChange pending={waiting} onCancelled={focusHeading} />
          ) : (
            <AskForChange onAsked={focusHeading} />
          )
        }
      </QueryView>
    </Section>
  )
}

const emailResolver = lazyResolver(async () => (await loadSchemas()).emailChange)

function AskForChange({ onAsked }: { onAsked: () => void }) {
  const form = useForm({ resolver: emailResolver, defaultValues: { email: '' } })
  const ask = useMemberMutation({
    mutationFn: (body: { email: string }) => accountsApi.requestEmailChange.call({ body }),
    onSuccess: onAsked,
    onDone: ({ email }) => toast({ title: 'Check your inbox', description: `We have emailed a link to ${email}.` }),
  })
  return (
    <Form
      form={form}
      onSubmit={ask.mutate}
      error={ask.error}
      onFocus={preloadForm}
      className="mt-5 grid max-w-[420px] gap-5"
    >
      <TextField
        name="email"
        label="New email address"
        type="email"
        autoComplete="email"
        help="We’ll send a link to this address. Follow it to confirm the change."
      />
      <FormError>{formRefusal(ask.error, 'Your email address could not be changed. Please try again.')}</FormError>
      <Button type="submit" variant="secondary" busy={ask.isPending} className="justify-self-start">
        Change email address
      </Button>
    </Form>
  )
}

function WaitingChange({
  pending: { email, expiresAt },
  onCancelled,
}: {
  pending: PendingEmail
  onCancelled: () => void
}) {
  const resend = useMemberMutation({
    mutationFn: () => accountsApi.resendEmailChange.call(),
    onDone: () => toast({ title: 'Email sent', description: `We have emailed the link to ${email} again.` }),
    onError: (error) => toastError(error, 'The email could not be sent. Please try again.'),
  })
  const cancel = useMemberMutation({
    mutationFn: () => accountsApi.cancelEmailChange.call(),
    onSuccess: onCancelled,
    onDone: () => toast({ title: 'Change cancelled', description: 'Your email address stays as it is.' }),
    onError: (error) => toastError(error, 'The change could not be cancelled. Please try again.'),
  })
  return (
    <div className="mt-5 max-w-[560px] rounded-row bg-linen px-5 py-5 sm:px-6">
      <p className="wrap-anywhere">
        Waiting for you to confirm <strong className="font-medium">{email}</strong>.
      </p>
      <p className="mt-1 text-small/normal text-ink-soft">
        Follow the link in the email we sent there. It works until {formatInstant(expiresAt)}.
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button variant="secondary" small runs={resend}>
          Send the email again
        </Button>
        <Button variant="quiet" small runs={cancel}>
          Cancel the change
        </Button>
      </div>
    </div>
  )
}
