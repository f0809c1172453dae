import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { User } from '#accounts/contract.ts'
import { AddMemberForm } from '#accounts/contract-invitations.ts'
import { accountsApi } from '#accounts/web/api.ts'
import { insightsApi, memberQueries } from '#insights/web/api.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/form-fields.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { FormDialog } from '../dialog-form.tsx'

const FIELDS = ['firstName', 'lastName', 'email', 'phone'] as const

/**
 * Adds a member, who is emailed an invitation to set a password.
 *
 * @param begun the text of a search without results: a name, an email address or a phone number
 * @param onTaken the email address already belongs to a member; without it the dialog only reports that
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
  const add = useAdminMutation({
    mutationFn: (body: AddMemberForm, key) => accountsApi.addMember.call({ body, key }),
    isRepeatable: true,
    says: {
      success: ({ email }) => `Member added. An invitation is on its way to ${email}`,
      failure: 'Failed to add member',
    },
    stale: [...memberQueries, insightsApi.getAnalytics],
    onSuccess: onAdded,
  })
  const isTaken = accountsApi.addMember.isRefusal(add.error, 'email_taken')
  return (
    <FormDialog
      title="Add member"
      description="They are sent an email with a link to set their own password."
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
          name="firstName"
          label="First name"
          autoComplete="off"
          enterKeyHint="next"
          data-autofocus={first === 'firstName' || undefined}
        />
        <TextField
          name="lastName"
          label="Last name"
          autoComplete="off"
          enterKeyHint="next"
          data-autofocus={first === 'lastName' || undefined}
        />
      </div>
      <TextField
        name="email"
        label="Email"
        type="email"
        autoComplete="off"
        autoCapitalize="none"
        enterKeyHint="next"
        data-autofocus={first === 'email' || undefined}
      />
      <TextField name="phone" label="Phone" optional type="tel" autoComplete="off" />
    </FormDialog>
  )
}

/** Puts the searched text into the field it belongs to. */
function fieldsOf(begun: string): AddMemberForm {
  const words = begun.trim()
  const empty = { firstName: '', lastName: '', email: '', phone: '' }
  if (words.includes('@')) return { ...empty, email: words }
  if (/^[\d\s()+./-]+$/.test(words)) return { ...empty, phone: words }
  const [firstName = '', ...rest] = words.split(/\s+/)
  return { ...empty, firstName: capital(firstName), lastName: capital(rest.join(' ')) }
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
