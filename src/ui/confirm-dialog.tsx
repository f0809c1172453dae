import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

export function ConfirmDialog({
  title,
  text,
  keep = 'Cancel',
  confirm,
  busy,
  disabled,
  onConfirm,
  onClose,
  children,
}: {
  title: string
  text: ReactNode
  keep?: string
  confirm: string
  busy?: boolean
  disabled?: boolean
  onConfirm: () => void
  onClose: () => void
  children?: ReactNode
}) {
  return (
    <Dialog onClose={onClose} title={title} description={text}>
      {children}
      <DialogActions onClose={onClose} cancel={keep}>
        <Button variant="danger" busy={busy} disabled={disabled} onClick={onConfirm}>
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
