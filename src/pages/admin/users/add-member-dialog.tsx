import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { User } from '#accounts/contract.ts'
import { AddMemberForm } from '#accounts/contract-invitations.ts'
import { accountsApi } from '#accounts/web/api.ts'
import { newKey } from '#foundation/lost-answers.ts'
import { insightsApi, memberQueries } from '#insights/web/api.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { TextField } from '#ui/field.tsx'
import { showRefusedFields } from '#ui/refused-fields.ts'
import { useAdminMutation } from '../admin-mutation.ts'
import { DialogForm } from '../dialog-form.tsx'

const FIELDS = ['firstName', 'lastName', 'email', 'phone'] as const

/**
 * Somebody new, who is mailed an invitation to set a password.
 *
 * @param begun what was typed into a search that found nobody: a name, an email address or a phone number
 * @param onTaken the address is somebody's already; without it the dialog only says so
 */
export function AddMemberDialog({
  begun = '',
  onAdded,
  onTaken,
  onClose,
}: {
  begun?: string
  onAdded: (user: User) => void
  onTaken?: (email: string) => void
  onClose: () => void
}) {
  const [begin] = useState(() => fieldsOf(begun))
  const first = FIELDS.find((name) => !begin[name])
  const form = useForm<AddMemberForm>({ resolver: zodResolver(AddMemberForm), defaultValues: begin })
  // An opened dialog adds one person, however often its answer is lost. What was refused left the key unused.
  const [key] = useState(newKey)
  const send = (body: AddMemberForm) => accountsApi.addMember.call({ body, key })
  const add = useAdminMutation({
    mutationFn: send,
    lookAgain: send,
    says: {
      success: ({ email }) => `Member added. An invitation is on its way to ${email}`,
      failure: 'Failed to add member',
    },
    stale: [...memberQueries, insightsApi.getAnalytics],
    onSuccess: onAdded,
    onRefused: (error) => showRefusedFields(error, form.setError, FIELDS),
  })
  const { errors } = form.formState
  const isTaken = accountsApi.addMember.isRefusal(add.error, 'email_taken')
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add member"
      description="They are sent an email with a link to set their own password."
    >
      <DialogForm
        form={form}
        mutation={add}
        submit="Add member"
        aside={
          isTaken &&
          onTaken && (
            <Button variant="secondary" onClick={() => onTaken(form.getValues('email').trim())}>
              Find them
            </Button>
          )
        }
        onClose={onClose}
      >
        <div className="grid gap-5 sm:grid-cols-2 sm:gap-4">
          <TextField
            label="First name"
            autoComplete="off"
            enterKeyHint="next"
            data-autofocus={first === 'firstName' || undefined}
            error={errors.firstName?.message}
            {...form.register('firstName')}
          />
          <TextField
            label="Last name"
            autoComplete="off"
            enterKeyHint="next"
            data-autofocus={first === 'lastName' || undefined}
            error={errors.lastName?.message}
            {...form.register('lastName')}
          />
        </div>
        <TextField
          label="Email"
          type="email"
          autoComplete="off"
          autoCapitalize="none"
          enterKeyHint="next"
          data-autofocus={first === 'email' || undefined}
          error={errors.email?.message}
          {...form.register('email')}
        />
        <TextField
          label="Phone"
          optional
          type="tel"
          autoComplete="off"
          error={errors.phone?.message}
          {...form.register('phone')}
        />
      </DialogForm>
    </Dialog>
  )
}

/** What was looked for goes where it belongs, so that it is typed once. */
function fieldsOf(begun: string): AddMemberForm {
  const words = begun.trim()
  const empty = { firstName: '', lastName: '', email: '', phone: '' }
  if (words.includes('@')) return { ...empty, email: words }
  if (/^[\d\s()+./-]+$/.test(words)) return { ...empty, phone: words }
  const [firstName = '', ...rest] = words.split(/\s+/)
  return { ...empty, firstName: capital(firstName), lastName: capital(rest.join(' ')) }
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
