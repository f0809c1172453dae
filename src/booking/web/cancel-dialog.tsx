import { studio } from '#studio.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'

export default function CancelDialog({
  hasPassEnded,
  onClose,
  onCancel,
}: {
  hasPassEnded: boolean
  onClose: () => void
  onCancel: () => void
}) {
  const why = hasPassEnded
    ? 'The pass that paid for this class has ended.'
    : `This class starts in less than ${studio.policies.lateCancellationMinutes} minutes.`
  return (
    <Dialog
      onClose={onClose}
      title="Cancel without credit?"
      description={`${why} If you cancel now, the place is freed but the credit is not returned.`}
    >
      <DialogActions onClose={onClose} cancel="Keep booking">
        <Button
          variant="danger"
          onClick={() => {
            onClose()
            onCancel()
          }}
        >
          Cancel booking
        </Button>
      </DialogActions>
    </Dialog>
  )
}
