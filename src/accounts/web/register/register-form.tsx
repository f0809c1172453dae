import { useWatch } from 'react-hook-form'
import { Button, TextLink } from '#ui/button.tsx'
import { Form, PasswordField, TextField } from '#ui/form-fields.tsx'
import { preloadForm, type useRegisterForm } from '../auth-forms.ts'
import { NewPasswordField } from '../new-password-field.tsx'
import { useRegister } from '../sign-in/sign-in.ts'

export default function RegisterForm({
  form,
  onVerify,
}: {
  form: ReturnType<typeof useRegisterForm>
  /** Called when the new member must follow a link that was emailed to `email`. */
  onVerify: (email: string) => void
}) {
  const known = useWatch({ control: form.control, name: ['email', 'firstName', 'lastName'] })
  const signUp = useRegister({ onVerify: () => onVerify(form.getValues('email')) })
  return (
    <Form form={form} onSubmit={signUp.mutate} error={signUp.error} onFocus={preloadForm} className="grid gap-5">
      <TextField name="email" label="Email" type="email" autoComplete="email" />
      <div className="grid gap-5 sm:grid-cols-2 sm:gap-4">
        <TextField name="firstName" label="First name" autoComplete="given-name" />
        <TextField name="lastName" label="Last name" autoComplete="family-name" />
      </div>
      <TextField name="phone" label="Phone" optional type="tel" autoComplete="tel" />
      <NewPasswordField label="Password" known={known} />
      <PasswordField name="confirmPassword" label="Confirm password" autoComplete="new-password" />
      <Button type="submit" busy={signUp.isPending} className="mt-2 w-full">
        Create Account
      </Button>
      <p className="text-center text-small/normal text-ink-mute">
        By signing up you accept the <TextLink to="/terms-and-conditions">terms</TextLink> and the{' '}
        <TextLink to="/privacy-policy">privacy policy</TextLink>. Accounts are for people aged 18 and over. A minor can
        come to a duo session with a parent or guardian, who gives us written consent first.
      </p>
    </Form>
  )
}
