import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { toast } from '#ui/toast.ts'

const FACTS = Array.from({ length: 40 }, (_, i) => `Line ${i + 1} of a dialog that is taller than the screen.`)

/** A short dialog and one that must scroll. */
export function Dialogs() {
  const [open, setOpen] = useState<'short' | 'tall'>()
  const close = () => setOpen(undefined)
  return (
    <div className="flex flex-wrap gap-3">
      <Button variant="secondary" onClick={() => setOpen('short')}>
        Open a dialog
      </Button>
      <Button variant="secondary" onClick={() => setOpen('tall')}>
        Open a tall dialog
      </Button>
      <Dialog
        open={open === 'short'}
        onClose={close}
        title="Cancel without credit?"
        description="The place is freed but your credit is not returned."
      >
        <DialogActions>
          <Button variant="quiet" onClick={close}>
            Keep booking
          </Button>
          <Button variant="danger" onClick={close}>
            Cancel booking
          </Button>
        </DialogActions>
      </Dialog>
      <Dialog open={open === 'tall'} onClose={close} title="A tall dialog">
        <ul className="mt-5">
          {FACTS.map((fact) => (
            <li key={fact} className="border-b border-line py-2">
              {fact}
            </li>
          ))}
        </ul>
        <DialogActions>
          <Button onClick={close}>Done</Button>
        </DialogActions>
      </Dialog>
    </div>
  )
}

/** A toast that tells and one that warns. Only the last one stays. */
export function Toasts() {
  return (
    <div className="flex flex-wrap gap-3">
      <Button
        variant="secondary"
        onClick={() => toast({ title: 'Success', description: 'Booking cancelled successfully' })}
      >
        Show a toast
      </Button>
      <Button
        variant="secondary"
        onClick={() => toast({ title: 'Booking Failed', description: 'This class is fully booked.', tone: 'error' })}
      >
        Show an error
      </Button>
    </div>
  )
}
