import { Button, ButtonLink } from '#ui/button.tsx'
import { FieldError } from '#ui/field.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { usePlainForm } from '#ui/plain-form.ts'
import { StepUps } from '../asked-again/step-up.tsx'
import { checkLater, loadAnswers } from '../check-later.ts'
import { NewPasswordField } from '../new-password-field.tsx'
import { CHECK_TEXT, CHECK_TITLE, PasskeyCheck } from '../your-sign-in/passkey-list.tsx'
import { DeadLink, type MailFrame } from './dead-link.tsx'
import { useSetPassword } from './password-reset.ts'

/**
 * Behind a mailed link: a new password, and one is logged in. An admin is then asked about passkeys that still sign in. A link
 * that has run out offers a new one.
 */
export default function SetPassword({
  token,
  isInvited,
  frame: Frame,
}: {
  token: string
  isInvited: boolean
  frame: MailFrame
}) {
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
