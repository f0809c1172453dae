import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { accountRefusals, EditUserForm, editUserFormFor } from '#accounts/contract.ts'
import { fullName } from '#accounts/rules.ts'
import { accountsApi } from '#accounts/web/api.ts'
import { sessionApi, useSession } from '#accounts/web/session.ts'
import { BlockForm } from '#booking/contract.ts'
import { staffBookingApi } from '#booking/web/staff-api.ts'
import type { AdminUser } from '#insights/contract.ts'
import { insightsApi } from '#insights/web/api.ts'
import { History } from '#insights/web/history.tsx'
import { SelectField } from '#ui/form-choices.tsx'
import { TextArea, TextField } from '#ui/form-fields.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { useTeachers } from '../classes/teachers.tsx'
import { ChangeDialog, FormDialog, formValues, useFreshVersion } from '../dialog-form.tsx'

const ROLES = [
  ['member', 'Member'],
  ['teacher', 'Teacher'],
  ['admin', 'Admin'],
] as const

const valuesOf = (user: AdminUser) => formValues(EditUserForm, user)

/** The five specified fields that are not empty, changed or not; of the others, those that changed. */
export function editOf({ phone, role, teachesAs, ...names }: EditUserForm, former: EditUserForm) {
  const named = Object.entries(names).filter(([, value]) => value !== '')
  const others = Object.entries({ phone, role, teachesAs }).filter(
    ([name, value]) => value !== former[name as keyof EditUserForm],
  )
  return Object.fromEntries([...named, ['isAdmin', role === 'admin'], ...others])
}

type EditProps = { user: AdminUser; isBlocked?: boolean; onClose: () => void }

export function EditUserDialog({ user, isBlocked = false, onClose }: EditProps) {
  const { user: me } = useSession()
  const queries = useQueryClient()
  const teachers = useTeachers(user.teachesAs ?? undefined)
  const isByPhone = user.email === null
  const form = useForm<EditUserForm>({
    resolver: zodResolver(editUserFormFor(user)),
    defaultValues: valuesOf(user),
  })
  const { base, take } = useFreshVersion(user, form, valuesOf)
  const edit = useAdminMutation({
    mutationFn: (sent: EditUserForm) =>
      accountsApi.editUser.call({
        params: { id: user.id },
        body: { ...editOf(sent, valuesOf(base)), ifUpdatedAt: base.updatedAt },
      }),
    toasts: { success: 'User updated successfully', failure: 'Failed to update user', fixed: true },
    onSuccess: () => {
      if (isMe) void queries.invalidateQueries({ queryKey: sessionApi.getCurrentUser.key })
      onClose()
    },
  })
  const isMe = me?.id === user.id
  const helpForOthers = isBlocked
    ? accountRefusals.cannot_promote_blocked_member.message
    : 'A teacher sees today’s and tomorrow’s list on their dashboard, without money, settings or other members.'
  const load = async () => take((await insightsApi.getMemberPage.call({ params: { id: user.id } })).user)
  return (
    <FormDialog
      title="Edit member"
      form={form}
      mutation={edit}
      submit="Save"
      onLoad={load}
      onClose={onClose}
      after={<History subject={`user:${user.id}`} />}
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField name="firstName" label="First name" />
        <TextField name="lastName" label="Last name" optional={user.lastName === ''} />
      </div>
      {!isByPhone && <TextField name="username" label="Username" autoCapitalize="none" spellCheck={false} />}
      <TextField
        name="email"
        label="Email"
        optional={isByPhone}
        type="email"
        help={isByPhone && 'We’ll email them an invitation to set a password.'}
      />
      <TextField name="phone" label="Phone" optional={!isByPhone} type="tel" />
      <SelectField
        name="role"
        label="Role"
        options={ROLES}
        help={isMe ? accountRefusals.cannot_demote_self.message : helpForOthers}
        disabled={isMe || isByPhone || isBlocked}
      />
      {form.watch('role') === 'teacher' && (
        <SelectField
          name="teachesAs"
          label="Teaches as"
          options={[['', 'No one: sees all classes'], ...teachers.map((name) => [name, name] as const)]}
          help="A teacher who is linked to a name sees only the classes with that name."
        />
      )}
    </FormDialog>
  )
}

/** Blocks a member, with the reason. Admins and teachers are not blocked. */
export function BlockDialog({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  return (
    <ChangeDialog
      title={`Block ${fullName(user)}?`}
      description="They can view and cancel, but not book, move, join waiting lists or buy. They lose their places on waiting lists but keep their bookings. No emails will be sent."
      schema={BlockForm}
      values={{ reason: '' }}
      mutationFn={(body) => staffBookingApi.blockMember.call({ params: { id: user.id }, body })}
      toasts={{ success: `${fullName(user)} is blocked`, failure: 'Failed to block' }}
      submit="Block"
      danger
      onClose={onClose}
    >
      <TextArea name="reason" label="Reason" rows={3} help="The member sees this if they download their data." />
    </ChangeDialog>
  )
}
