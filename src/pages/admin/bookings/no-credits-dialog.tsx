import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { GiftCreditsDialog } from '../users/gift-credits-dialog.tsx'
import type { NamedUser } from '../users/named-user.ts'

/** A class is paid with a credit, and this member has none: the ways to one, and then on. */
export function NoCreditsDialog({
  member,
  wasAdded,
  onDone,
  onClose,
}: {
  member: NamedUser
  /** Only now: nobody is surprised that they have none. */
  wasAdded: boolean
  /** They have credits now. */
  onDone: () => void
  onClose: () => void
}) {
  const [isGift, setGift] = useState(false)
  if (isGift) return <GiftCreditsDialog user={member} suggests onGiven={onDone} onClose={() => setGift(false)} />
  return (
    <Dialog
      open
      onClose={onClose}
      title={wasAdded ? `${member.firstName} has been added` : `${member.firstName} has no credits left`}
      description="A class is paid with a credit of a pass, so that comes first."
    >
      <DialogActions>
        <Button variant="quiet" onClick={onClose}>
          Not now
        </Button>
        <Button onClick={() => setGift(true)}>Gift Credits</Button>
      </DialogActions>
    </Dialog>
  )
}
