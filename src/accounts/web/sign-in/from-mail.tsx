import type { ComponentType, ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { CallError, sentenceOf } from '#foundation/call.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { FieldError } from '#ui/field.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { usePlainForm } from '#ui/plain-form.ts'
import { useSingleMutation } from '#ui/use-single-mutation.ts'
import { accountsApi } from '../api.ts'
import { StepUps } from '../asked-again/step-up.tsx'
import { checkLater, loadAnswers } from '../check-later.ts'
import { NewPasswordField } from '../new-password-field.tsx'
import { CHECK_TEXT, CHECK_TITLE, PasskeyCheck } from '../your-sign-in/passkey-list.tsx'
import { useSetPassword } from './password-reset.ts'
import { useBecome } from './sign-in.ts'

/**
 * What a mailed link leads to, in the page's own frame.
 *
 * @param mailed what the link says: `verify`, `undo`, `reset` or `invitation`, with its token
 */
export default function FromMail({ mailed, frame }: { mailed: URLSearchParams; frame: MailFrame }) {
  const [verify, undo, invitation] = ['verify', 'undo', 'invitation'].map((name) => mailed.get(name))
  if (verify) return <VerifyEmail token={verify} frame={frame} />
  if (undo) return <UndoEmail token={undo} frame={frame} />
  return <SetPassword token={invitation ?? mailed.get('reset') ?? ''} isInvited={Boolean(invitation)} frame={frame} />
}

/**
 * Behind a mailed link: a new password, and one is logged in. An admin is then asked about passkeys that still sign in. A link
 * that has run out offers a new one.
 */
function SetPassword({ token, isInvited, frame: Frame }: { token: string; isInvited: boolean; frame: MailFrame }) {
  const form = usePlainForm({ password: '', confirmPassword: '' }, checkLater('newPassword'))
  const set = useSetPassword({ onRefused: form.refuse })
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
      <Frame title={CHECK_TITLE} lede={CHECK_TEXT} heard>
        <StepUps />
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
      lede={`${isInvited ? 'The studio has opened an account for you. ' : ''}Choose a password for your account. You are logged in with it at once.`}
    >
      <form
        {...form.sending(({ password }) => set.mutate({ token, password }))}
        onFocus={loadAnswers}
        className="grid gap-5"
      >
        <NewPasswordField label="New password" typed={form.typed.password} {...form.field('password')} />
        <PasswordField label="Confirm password" autoComplete="new-password" {...form.field('confirmPassword')} />
        {set.refusal && (
          <div role="alert">
            <FieldError>{set.refusal}</FieldError>
          </div>
        )}
        <Button type="submit" busy={set.isPending} className="mt-2 w-full">
          Set password
        </Button>
      </form>
    </Frame>
  )
}

const TITLE = 'Restore your email address'
const LEDE =
  'One click, and your account goes back to its old address. Every device is signed out, and you set a new password.'
const NOT_DONE = 'Your email address could not be restored. Please try again.'

/** Behind a link that was mailed to an address that is no longer an account's: one click brings it back. */
function UndoEmail({ token, frame: Frame }: { token: string; frame: MailFrame }) {
  const become = useBecome()
  const undo = useSingleMutation({
    mutationFn: (body: { token: string }) => accountsApi.undoEmailChange.call({ body }),
    // Whoever is signed in here may be one of those who are signed out.
    onSuccess: () => become(null),
  })
  const { error } = undo
  if (undo.isSuccess) {
    return (
      <Frame title={TITLE} lede={LEDE}>
        <div role="status" className="grid gap-5 rounded-row bg-linen px-6 py-6">
          <p>{undo.data.message}</p>
          <ButtonLink to="/auth?forgot">Send me another link</ButtonLink>
        </div>
      </Frame>
    )
  }
  if (error instanceof CallError && error.status === 400) {
    return (
      <DeadLink frame={Frame} why={sentenceOf(error, NOT_DONE)}>
        <ButtonLink to="/contact">Contact the studio</ButtonLink>
        <ButtonLink to="/auth" variant="quiet" small>
          Back to Login
        </ButtonLink>
      </DeadLink>
    )
  }
  return (
    <Frame title={TITLE} lede={LEDE}>
      <div className="grid gap-5">
        <Button busy={undo.isPending} onClick={() => undo.mutate({ token })} className="w-full">
          Restore my address
        </Button>
        {error && (
          <div role="alert">
            <FieldError>{sentenceOf(error, NOT_DONE)}</FieldError>
          </div>
        )}
      </div>
    </Frame>
  )
}

/** Behind a mailed link: one click confirms the address. Opening it does nothing, since mail scanners open links too. */
function VerifyEmail({ token, frame: Frame }: { token: string; frame: MailFrame }) {
  const navigate = useNavigate()
  const verify = useSingleMutation({
    mutationFn: (body: { token: string }) => accountsApi.verifyEmail.call({ body }),
    onSuccess: () => navigate('/email-verified', { replace: true }),
  })
  const { error } = verify
  if (error instanceof CallError && error.status === 400) {
    return (
      <DeadLink frame={Frame} why={sentenceOf(error, NOT_CONFIRMED)}>
        <ButtonLink to="/auth">Continue to Login</ButtonLink>
      </DeadLink>
    )
  }
  return (
    <Frame title="Confirm your email address" lede="One click shows that the address is yours. Then you can log in.">
      <div className="grid gap-5">
        <Button busy={verify.isPending} onClick={() => verify.mutate({ token })} className="w-full">
          Confirm email address
        </Button>
        {error && (
          <div role="alert">
            <FieldError>{sentenceOf(error, NOT_CONFIRMED)}</FieldError>
          </div>
        )}
      </div>
    </Frame>
  )
}

const NOT_CONFIRMED = 'Your email address could not be confirmed. Please try again.'

/** The page's own frame around what a mailed link leads to. */
type MailFrame = ComponentType<{ title: string; lede: string; heard?: boolean; children: ReactNode }>

/** Instead of what a mailed link promised, once it is used up or too old: why, and the ways on. */
function DeadLink({ frame: Frame, why, children }: { frame: MailFrame; why: ReactNode; children: ReactNode }) {
  return (
    <Frame title="This link no longer works" lede="The links in our emails work once, and for a limited time.">
      <div role="alert" className="grid gap-5 rounded-row bg-linen px-6 py-6">
        <p>{why}</p>
        {children}
      </div>
    </Frame>
  )
}
