import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { EditUserForm } from '#accounts/contract.ts'
import { accountsApi } from '#accounts/web/api.ts'
import { useSession } from '#accounts/web/session.ts'
import { bookingQueries } from '#booking/web/stale.ts'
import type { AdminUser } from '#insights/contract.ts'
import { insightsApi } from '#insights/web/api.ts'
import { History } from '#insights/web/history.tsx'
import { memberQueries } from '#insights/web/users.ts'
import { TextField, Tick } from '#ui/form-fields.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { FormDialog, useFreshVersion } from '../dialog-form.tsx'

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
  })
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
    <FormDialog
      title="Edit User"
      form={form}
      mutation={edit}
      submit="Save"
      onLoad={load}
      onClose={onClose}
      after={<History subject={`user:${user.id}`} />}
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField name="firstName" label="First name" />
        <TextField name="lastName" label="Last name" />
      </div>
      <TextField name="username" label="Username" autoCapitalize="none" spellCheck={false} />
      <TextField name="email" label="Email" type="email" autoCapitalize="none" />
      <TextField name="phone" label="Phone" optional type="tel" />
      <Tick
        name="isAdmin"
        label="Admin: may run the studio"
        help={isMe ? 'You cannot remove your own admin rights.' : undefined}
        disabled={isMe}
      />
    </FormDialog>
  )
}
