import { useMemberMutation } from '#accounts/web/member-mutation.ts'
import { toast, toastError } from '#ui/toast.ts'
import type { BeginRequest, CompanionForm } from '../../contract.ts'
import { bookingApi } from '../api.ts'

type AddParams = { id: number; companion: CompanionForm; beginRequest: BeginRequest | undefined }

export function useAddCompanion({ onAdded }: { onAdded: () => void }) {
  return useMemberMutation({
    mutationFn: ({ id, companion, beginRequest }: AddParams) =>
      bookingApi.addCompanion.call({ params: { id }, body: { ...companion, beginRequest } }),
    onDone: (_, { companion }) =>
      toast({ title: 'Invitation Sent', description: `We hold the second place for ${companion.firstName}.` }),
    onSuccess: onAdded,
  })
}

export function useCancelCompanion() {
  return useMemberMutation({
    mutationFn: ({ id }: { id: number; firstName: string }) => bookingApi.cancelCompanion.call({ params: { id } }),
    onDone: (_, { firstName }) =>
      toast({ title: 'Place Cancelled', description: `We’ll email ${firstName}. Your own place stays booked.` }),
    onError: (error) => toastError(error, 'The place could not be cancelled. Please try again.', 'Not Cancelled'),
  })
}
