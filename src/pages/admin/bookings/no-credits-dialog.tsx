import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { GiftCreditsDialog } from '../users/gift-credits-dialog.tsx'
import type { NamedUser } from '../users/named-user.ts'
import { aboutSale, RECORD_SALE, RecordSale } from '../users/record-sale-dialog.tsx'

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
  const [way, setWay] = useState<'sale' | 'gift'>()
  const back = () => setWay(undefined)
  if (way === 'gift') return <GiftCreditsDialog user={member} suggests onGiven={onDone} onClose={back} />
  if (way === 'sale') {
    return (
      <Dialog open onClose={back} title={RECORD_SALE} description={aboutSale(member)}>
        <RecordSale user={member} back="Back" onDone={onDone} onClose={back} />
      </Dialog>
    )
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={wasAdded ? `${member.firstName} has been added` : `${member.firstName} has no credits left`}
      description="A class is paid for with a credit, so they need a pass first."
    >
      <DialogActions>
        <Button variant="quiet" onClick={onClose}>
          Not now
        </Button>
        <Button variant="secondary" onClick={() => setWay('gift')}>
          Gift Credits
        </Button>
        <Button onClick={() => setWay('sale')}>{RECORD_SALE}</Button>
      </DialogActions>
    </Dialog>
  )
}
