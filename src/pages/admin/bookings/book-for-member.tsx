import { useState } from 'react'
import { Dialog } from '#ui/dialog.tsx'
import { AddMemberDialog } from '../users/add-member-dialog.tsx'
import { BookForDialog } from '../users/book-for-dialog.tsx'
import { MemberPicker } from '../users/member-picker.tsx'
import type { NamedUser } from '../users/named-user.ts'
import { NoCreditsDialog } from './no-credits-dialog.tsx'

type Chosen = { member: NamedUser; lacksHealth: boolean; wasAdded: boolean }
type Step =
  | { at: 'find'; words: string }
  | { at: 'add'; words: string }
  | ({ at: 'credits' } & Chosen)
  | ({ at: 'book' } & Chosen)

/**
 * Whom first, then what: somebody new is added on the way, and who has no credit gets one. The last step is the member's
 * page's own dialog.
 *
 * @param classId the class that is chosen already
 */
export function BookForMemberDialog({ classId, onClose }: { classId?: number; onClose: () => void }) {
  const [step, setStep] = useState<Step>({ at: 'find', words: '' })
  const find = (words = '') => setStep({ at: 'find', words })
  if (step.at === 'add') {
    return (
      <AddMemberDialog
        begun={step.words}
        onAdded={(member) => setStep({ at: 'credits', member, lacksHealth: true, wasAdded: true })}
        onTaken={find}
        onClose={() => find(step.words)}
      />
    )
  }
  if (step.at === 'credits') {
    return (
      <NoCreditsDialog
        member={step.member}
        wasAdded={step.wasAdded}
        onDone={() => setStep({ ...step, at: 'book' })}
        onClose={onClose}
      />
    )
  }
  if (step.at === 'book') {
    const { member, lacksHealth } = step
    return <BookForDialog user={member} classId={classId} lacksHealth={lacksHealth} onClose={onClose} />
  }
  return (
    <Dialog open onClose={onClose} title="Book for a member" description="Who would you like to book for?">
      <MemberPicker
        begun={step.words}
        onChoose={(member) => {
          const at = member.totalCredits > 0 ? 'book' : 'credits'
          setStep({ at, member, lacksHealth: !member.healthComplete, wasAdded: false })
        }}
        onAdd={(words) => setStep({ at: 'add', words })}
      />
    </Dialog>
  )
}
