import { useMemberMutation } from '#accounts/web/member-mutation.ts'
import { useMemberQuery } from '#accounts/web/session.ts'
import { apiClient } from '#foundation/api-client.ts'
import { CallError } from '#foundation/call.ts'
import { toast } from '#ui/toast.ts'
import type * as contract from '../contract.ts'
import type { EmergencyContactForm, QuestionnaireForm, Unreadable } from '../contract.ts'
import type * as own from '../contract-own.ts'
import { isReadable } from '../rules.ts'

/** For admin queries: each read is recorded, so data must not stay cached after it is shown. */
export const READ_AGAIN = { gcTime: 0 }

export const healthApi = apiClient<typeof own & typeof contract>('health', {
  listOwnHealthReads: 'GET /api/user/health-reads',
  getEmergencyContact: 'GET /api/health/emergency-contact',
  getMemberHealth: 'GET /api/admin/users/:id/health',
  getQuestionnaire: 'GET /api/health/questionnaire',
  listHealthReads: 'GET /api/admin/health-reads',
  listHealthUpdates: 'GET /api/admin/health-updates',
  markHealthUpdateSent: 'POST /api/admin/health-updates/:id/mark-sent',
  saveEmergencyContact: 'POST /api/health/emergency-contact',
  savePaperForm: 'PUT /api/admin/users/:id/health',
  saveQuestionnaire: 'POST /api/health/questionnaire',
})

/** The member's own health information. Complete if there are a questionnaire and a contact. */
export function useHealth({ enabled = true } = {}) {
  const questionnaire = useMemberQuery({ ...healthApi.getQuestionnaire.queryOptions(), enabled })
  const contact = useMemberQuery({ ...healthApi.getEmergencyContact.queryOptions(), enabled })
  return {
    questionnaire: readable(questionnaire.data),
    contact: readable(contact.data),
    /** A record cannot be decrypted; only saving it again fixes that. */
    isUnreadable: [questionnaire.data, contact.data].some((record) => record && !isReadable(record)),
    isPending: questionnaire.isPending || contact.isPending,
    /** Only if there is nothing to show; a failed refetch keeps the data. */
    error: (questionnaire.data === undefined && questionnaire.error) || (contact.data === undefined && contact.error),
    isComplete: Boolean(questionnaire.data && contact.data),
    retry: () => Promise.all([questionnaire.refetch(), contact.refetch()]),
  }
}

function readable<Record extends object>(record: Record | Unreadable | null | undefined): Record | undefined {
  return record && isReadable(record) ? record : undefined
}

export type HealthAnswers = { questionnaire: QuestionnaireForm; contact: EmergencyContactForm }

/** `cause` is the refusal. */
class SaveFailed extends Error {}

/** Saves both halves. `update`: they were complete before. `onSaved` reloads the page. */
export function useSaveHealth({
  update,
  onSaved,
  onRefused,
}: {
  update: boolean
  onSaved: () => void
  onRefused: (error: unknown) => void
}) {
  return useMemberMutation({
    mutationFn: async ({ questionnaire, contact }: HealthAnswers) => {
      const saved = await Promise.allSettled([
        healthApi.saveQuestionnaire.call({ body: questionnaire }),
        healthApi.saveEmergencyContact.call({ body: contact }),
      ])
      throwFirst(saved[0], 'Failed to save health questionnaire')
      throwFirst(saved[1], 'Failed to save emergency contact')
    },
    onSuccess: () => {
      sessionStorage.setItem(SAVED, update ? 'update' : 'first')
      onSaved()
    },
    onError: (error) => {
      toast({ title: 'Error', description: 'Failed to save health information. Please try again.', tone: 'error' })
      onRefused(error.cause)
    },
  })
}

/** What was saved just before the page reloaded. */
const SAVED = 'health-saved'

/** Once the page has reloaded, says what was saved. Returns whether anything was. */
export function showSaved(): boolean {
  const saved = sessionStorage.getItem(SAVED)
  sessionStorage.removeItem(SAVED)
  if (!saved) return false
  toast({
    title: 'Health information saved',
    description:
      saved === 'update'
        ? 'Your health information has been updated successfully.'
        : 'Thank you for completing the health questionnaire.',
  })
  return true
}

/** A 401 is rethrown as it is, because it ends the session. */
function throwFirst(saved: PromiseSettledResult<unknown>, message: string): void {
  if (saved.status === 'fulfilled') return
  if (saved.reason instanceof CallError && saved.reason.status === 401) throw saved.reason
  throw new SaveFailed(message, { cause: saved.reason })
}
