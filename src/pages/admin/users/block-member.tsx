import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { BlockForm } from '#booking/contract-block.ts'
import { bookingApi } from '#booking/web/api.ts'
import { classQueries } from '#booking/web/change-bookings.ts'
import type { AdminUser, MemberPage } from '#insights/contract.ts'
import { insightsApi } from '#insights/web/api.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { TextArea } from '#ui/field.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { DialogForm } from '../dialog-form.tsx'

/** Blocks a member, with the reason, or lets them book again. Admins are not blocked. */
export function BlockMember({ user, blocked }: { user: AdminUser; blocked: MemberPage['blocked'] }) {
  const [open, setOpen] = useState(false)
  const send = () => bookingApi.unblockMember.call({ params: { id: user.id } })
  const unblock = useAdminMutation({
    mutationFn: send,
    lookAgain: send,
    says: { success: `${user.firstName} ${user.lastName} can book again`, failure: 'Failed to unblock' },
    stale: [insightsApi.getMemberPage],
  })
  if (user.isAdmin) return null
  if (blocked)
    return (
      <Button variant="secondary" small busy={unblock.isPending} onClick={() => unblock.mutate()}>
        Unblock
      </Button>
    )
  return (
    <>
      <Button variant="quiet" small onClick={() => setOpen(true)}>
        Block
      </Button>
      {open && <BlockDialog user={user} onClose={() => setOpen(false)} />}
    </>
  )
}

function BlockDialog({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const form = useForm<BlockForm>({ resolver: zodResolver(BlockForm), defaultValues: { reason: '' } })
  const send = (body: BlockForm) => bookingApi.blockMember.call({ params: { id: user.id }, body })
  const block = useAdminMutation({
    mutationFn: send,
    // Done twice it does nothing more.
    lookAgain: send,
    says: { success: `${user.firstName} ${user.lastName} is blocked`, failure: 'Failed to block' },
    stale: [insightsApi.getMemberPage, ...classQueries],
    onSuccess: onClose,
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Block ${user.firstName} ${user.lastName}?`}
      description="They can look and cancel, but not book, move, wait or buy. They leave every waiting list; their bookings stay. Nobody is told."
    >
      <DialogForm form={form} mutation={block} submit="Block" danger onClose={onClose}>
        <TextArea
          label="Reason"
          rows={3}
          help="The member sees this if they download their data."
          error={form.formState.errors.reason?.message}
          {...form.register('reason')}
        />
      </DialogForm>
    </Dialog>
  )
}
