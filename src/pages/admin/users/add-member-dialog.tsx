import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { User } from '#accounts/contract.ts'
import { AddMemberByPhoneForm, AddMemberForm } from '#accounts/contract-invitations.ts'
import { accountsApi } from '#accounts/web/api.ts'
import { Button } from '#ui/button.tsx'
import { Tick } from '#ui/choices.tsx'
import { TextField } from '#ui/form-fields.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { FormDialog } from '../dialog-form.tsx'

const FIELDS = ['firstName', 'lastName', 'email'] as const

type AddProps = {
  /** A search without results, for the first field: a name, an email address or a phone number. */
  search?: string
  onAdded: (user: User) => void
  /** The email address already belongs to a member; without it the dialog only reports that. */
  onTaken?: (email: string) => void
  onClose: () => void
}

/** Adds a member, who is emailed an invitation to set a password. */
export function AddMemberDialog({ search = '', onAdded, onTaken, onClose }: AddProps) {
  const [initial] = useState(() => fieldsOf(search))
  const [isByPhone, setIsByPhone] = useState(false)
  const form = useForm<AddMemberForm>({
    resolver: zodResolver(isByPhone ? AddMemberByPhoneForm : AddMemberForm),
    defaultValues: initial,
  })
  const firstEmpty = FIELDS.find((name) => !initial[name])
  const attributes = (name: (typeof FIELDS)[number]) =>
    ({ name, autoComplete: 'off', enterKeyHint: 'next', 'data-autofocus': firstEmpty === name || undefined }) as const
  const add = useAdminMutation({
    mutationFn: (body: AddMemberForm) =>
      accountsApi.addMember.call({ body: { ...body, email: isByPhone ? null : body.email } }),
    toasts: {
      success: ({ email }) =>
        email === null
          ? 'Member added. You’ll find what to tell them under Needs attention'
          : `Member added. An invitation is on its way to ${email}`,
      failure: 'Failed to add member',
    },
    onSuccess: onAdded,
  })
  const isTaken = accountsApi.addMember.isRefusal(add.error, 'email_taken')
  return (
    <FormDialog
      title="Add member"
      description={
        isByPhone ? 'They cannot sign in. You book for them.' : 'We’ll email them a link to set their own password.'
      }
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
        <TextField {...attributes('firstName')} label="First name" />
        <TextField {...attributes('lastName')} label="Last name" />
      </div>
      {!isByPhone && <TextField {...attributes('email')} label="Email" type="email" />}
      <TextField name="phone" label="Phone" optional={!isByPhone} type="tel" autoComplete="off" />
      <Tick
        label="They are not online"
        help="No email address: you call them instead. Needs attention lists what to say."
        checked={isByPhone}
        onChange={({ target }) => {
          setIsByPhone(target.checked)
          form.clearErrors()
        }}
      />
    </FormDialog>
  )
}

/** Puts the searched text into the field it belongs to. */
function fieldsOf(search: string): AddMemberForm {
  const words = search.trim()
  const empty = { firstName: '', lastName: '', email: '', phone: '' }
  if (words.includes('@')) return { ...empty, email: words }
  if (/^[\d\s()+./-]+$/.test(words)) return { ...empty, phone: words }
  const [firstName = '', ...rest] = words.split(/\s+/)
  return { ...empty, firstName: capital(firstName), lastName: capital(rest.join(' ')) }
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
