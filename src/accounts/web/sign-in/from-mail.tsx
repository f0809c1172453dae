import { useQueryClient } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { CallError, errorMessage } from '#foundation/call.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { FormError } from '#ui/field.tsx'
import { Form, PasswordField } from '#ui/form-fields.tsx'
import { lazyResolver } from '#ui/lazy-resolver.ts'
import { useSingleMutation } from '#ui/use-single-mutation.ts'
import { loadSchemas, preloadForm } from '../auth-forms.ts'
import { NewPasswordField } from '../new-password-field.tsx'
import { sessionApi, useSession } from '../session.ts'
import { CHECK_TEXT, CHECK_TITLE, PasskeyCheck } from '../your-sign-in/passkey-list.tsx'
import { signInApi } from './api.ts'
import { useSetPassword } from './password-reset.ts'
import { useSwitchUser } from './sign-in.ts'

const resolver = lazyResolver(async () => (await loadSchemas()).newPassword)

/**
 * The page behind an emailed link.
 *
 * @param mailed `verify`, `undo`, `email`, `reset` or `invitation`, with the link's token
 */
export default function FromMail({ mailed, frame }: { mailed: URLSearchParams; frame: MailFrame }) {
  const [verify, undo, email, invitation] = ['verify', 'undo', 'email', 'invitation'].map((name) => mailed.get(name))
  if (verify) return <VerifyEmail token={verify} frame={frame} />
  if (undo) return <UndoEmail token={undo} frame={frame} />
  if (email) return <ConfirmEmail token={email} frame={frame} />
  return <SetPassword token={invitation ?? mailed.get('reset') ?? ''} isInvited={Boolean(invitation)} frame={frame} />
}

/** Sets a new password and logs in. An admin then checks their passkeys. An expired link offers a new one. */
function SetPassword({ token, isInvited, frame: Frame }: { token: string; isInvited: boolean; frame: MailFrame }) {
  const form = useForm({ resolver, defaultValues: { password: '', confirmPassword: '' } })
  const set = useSetPassword()
  if (set.isExpired) {
    return (
      <DeadLink frame={Frame} why={set.refusal}>
        <ButtonLink to="/auth?forgot">Send me a new link</ButtonLink>
        <ButtonLink to="/auth" variant="quiet" small>
          Back to Login
        </ButtonLink>
      </DeadLink>
    )
  }
  if (set.keepsPasskeys) {
    return (
      <Frame title={CHECK_TITLE} lede={CHECK_TEXT} focusHeading>
        <PasskeyCheck />
        <Button onClick={() => set.enter()} className="mt-8 w-full">
          Continue
        </Button>
      </Frame>
    )
  }
  return (
    <Frame
      title={isInvited ? 'Welcome' : 'Set your password'}
      lede={`${isInvited ? 'The studio has opened an account for you. ' : ''}Choose a password for your account. We’ll log you in straight away.`}
    >
      <Form
        form={form}
        onSubmit={({ password }) => set.mutate({ token, password })}
        error={set.error}
        onFocus={preloadForm}
        className="grid gap-5"
      >
        <NewPasswordField label="New password" />
        <PasswordField name="confirmPassword" label="Confirm password" autoComplete="new-password" />
        <FormError>{set.refusal}</FormError>
        <Button type="submit" busy={set.isPending} className="mt-2 w-full">
          Set password
        </Button>
      </Form>
    </Frame>
  )
}

function UndoEmail({ token, frame: Frame }: { token: string; frame: MailFrame }) {
  const switchUser = useSwitchUser()
  const undo = useSingleMutation({
    mutationFn: () => signInApi.undoEmailChange.call({ body: { token } }),
    // This session may have been ended too.
    onSuccess: () => switchUser(null),
  })
  const head = {
    title: 'Restore your email address',
    lede: 'Select the button to restore your old address. We’ll sign out every device and email you a link to set a new password.',
  }
  if (undo.isSuccess) {
    return (
      <Frame focusHeading {...head}>
        <div role="status" className="grid gap-5 rounded-row bg-linen px-6 py-6">
          <p>{undo.data.message}</p>
          <ButtonLink to="/auth?forgot">Send me another link</ButtonLink>
        </div>
      </Frame>
    )
  }
  return (
    <OneClick
      {...head}
      frame={Frame}
      mutation={undo}
      action="Restore my address"
      failed="Your email address could not be restored. Please try again."
    >
      <ButtonLink to="/contact">Contact the studio</ButtonLink>
      <ButtonLink to="/auth" variant="quiet" small>
        Back to Login
      </ButtonLink>
    </OneClick>
  )
}

function ConfirmEmail({ token, frame: Frame }: { token: string; frame: MailFrame }) {
  const queries = useQueryClient()
  const { user } = useSession()
  const confirm = useSingleMutation({
    mutationFn: () => signInApi.confirmEmailChange.call({ body: { token } }),
    // The caller's address may have changed, and other sessions may have ended.
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionApi.getCurrentUser.key }),
  })
  const head = {
    title: 'Confirm your new email address',
    lede: 'Select the button to use this address for your account. We’ll email your old address in case it was not you.',
  }
  if (confirm.isSuccess) {
    return (
      <Frame focusHeading {...head}>
        <div role="status" className="grid gap-5 rounded-row bg-linen px-6 py-6">
          <p className="wrap-anywhere">Your email address is now {confirm.data.email}. Use it to log in.</p>
          {user ? (
            <ButtonLink to="/dashboard">Continue to your dashboard</ButtonLink>
          ) : (
            <ButtonLink to="/auth">Continue to Login</ButtonLink>
          )}
        </div>
      </Frame>
    )
  }
  return (
    <OneClick
      {...head}
      frame={Frame}
      mutation={confirm}
      action="Use this address"
      failed="Your email address could not be changed. Please try again."
    >
      <ButtonLink to="/dashboard?view=profile">Open your details</ButtonLink>
    </OneClick>
  )
}

function VerifyEmail({ token, frame }: { token: string; frame: MailFrame }) {
  const navigate = useNavigate()
  const verify = useSingleMutation({
    mutationFn: () => signInApi.verifyEmail.call({ body: { token } }),
    onSuccess: () => navigate('/email-verified', { replace: true }),
  })
  return (
    <OneClick
      frame={frame}
      title="Confirm your email address"
      lede="Select the button to confirm that this address is yours. Then you can log in."
      mutation={verify}
      action="Confirm email address"
      failed="Your email address could not be confirmed. Please try again."
    >
      <ButtonLink to="/auth">Continue to Login</ButtonLink>
    </OneClick>
  )
}

/** Acts on a click only, because mail scanners open links too. `children`: links if it has expired. */
function OneClick({
  frame: Frame,
  title,
  lede,
  mutation: { error, isPending, mutate },
  action,
  failed,
  children,
}: {
  frame: MailFrame
  title: string
  lede: string
  mutation: { error: Error | null; isPending: boolean; mutate: () => void }
  action: string
  failed: string
  children: ReactNode
}) {
  const refusal = error && errorMessage(error, failed)
  if (error instanceof CallError && error.status === 400) {
    return (
      <DeadLink frame={Frame} why={refusal}>
        {children}
      </DeadLink>
    )
  }
  return (
    <Frame title={title} lede={lede}>
      <div className="grid gap-5">
        <Button busy={isPending} onClick={() => mutate()} className="w-full">
          {action}
        </Button>
        <FormError>{refusal}</FormError>
      </div>
    </Frame>
  )
}

type MailFrame = ComponentType<{ title: string; lede: string; focusHeading?: boolean; children: ReactNode }>

function DeadLink({ frame: Frame, why, children }: { frame: MailFrame; why: ReactNode; children: ReactNode }) {
  return (
    <Frame
      focusHeading
      title="This link no longer works"
      lede="The links in our emails work once, and for a limited time."
    >
      <div role="alert" className="grid gap-5 rounded-row bg-linen px-6 py-6">
        <p>{why}</p>
        {children}
      </div>
    </Frame>
  )
}
