import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { EditUserForm } from '#accounts/contract.ts'
import { accountsApi } from '#accounts/web/api.ts'
import { useSession } from '#accounts/web/session.ts'
import { bookingQueries } from '#booking/web/change-bookings.ts'
import type { AdminUser } from '#insights/contract.ts'
import { insightsApi, memberQueries } from '#insights/web/api.ts'
import { History } from '#insights/web/history.tsx'
import { Tick } from '#ui/choices.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { TextField } from '#ui/field.tsx'
import { showRefusedFields } from '#ui/refused-fields.ts'
import { useAdminMutation } from '../admin-mutation.ts'
import { DialogForm, useFreshVersion } from '../dialog-form.tsx'

const FIELDS = ['username', 'email', 'firstName', 'lastName', 'phone', 'isAdmin'] as const
const valuesOf = ({ username, email, firstName, lastName, phone, isAdmin }: AdminUser): EditUserForm => ({
  username,
  email,
  firstName,
  lastName,
  phone: phone ?? '',
  isAdmin,
})

/** Edits a user; grants or takes the admin's rights. */
export function EditUserDialog({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const { user: me } = useSession()
  const queries = useQueryClient()
  const form = useForm<EditUserForm>({ resolver: zodResolver(EditUserForm), defaultValues: valuesOf(user) })
  const { base, take } = useFreshVersion(user, form, valuesOf)
  const edit = useAdminMutation({
    mutationFn: (sent: EditUserForm) => {
      const given = Object.entries(sent).filter(([name, value]) => value !== '' || name === 'phone')
      const body = Object.fromEntries(given)
      return accountsApi.editUser.call({ params: { id: user.id }, body: { ...body, ifUpdatedAt: base.updatedAt } })
    },
    says: { success: 'User updated successfully', failure: 'Failed to update user', fixed: true },
    stale: [...memberQueries, ...bookingQueries, insightsApi.getAnalytics, accountsApi.getCurrentUser],
    onSuccess: onClose,
    onRefused: (error) => showRefusedFields(error, form.setError, FIELDS),
  })
  const { errors } = form.formState
  const isMe = me?.id === user.id
  const load = async () =>
    take(
      (
        await queries.fetchQuery({
          ...insightsApi.getMemberPage.queryOptions({ params: { id: user.id } }),
          staleTime: 0,
        })
      ).user,
    )
  return (
    <Dialog open onClose={onClose} title="Edit User">
      <DialogForm form={form} mutation={edit} submit="Save" onLoad={load} onClose={onClose}>
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField label="First name" error={errors.firstName?.message} {...form.register('firstName')} />
          <TextField label="Last name" error={errors.lastName?.message} {...form.register('lastName')} />
        </div>
        <TextField
          label="Username"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.username?.message}
          {...form.register('username')}
        />
        <TextField
          label="Email"
          type="email"
          autoCapitalize="none"
          error={errors.email?.message}
          {...form.register('email')}
        />
        <TextField label="Phone" optional type="tel" error={errors.phone?.message} {...form.register('phone')} />
        <Tick
          label="Admin: may run the studio"
          help={isMe ? 'You cannot remove your own admin rights.' : undefined}
          disabled={isMe}
          {...form.register('isAdmin')}
        />
      </DialogForm>
      <History subject={`user:${user.id}`} />
    </Dialog>
  )
}
