import { type ComponentType, type ReactNode, useState } from 'react'
import { buttonClass } from './button.tsx'
import { late, usePreload } from './late.tsx'

type Shown = { onClose: () => void }

/**
 * A button with its dialog, whose code loads once the page is shown.
 *
 * @param load imports the dialog
 */
export function dialogButton<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props & Shown> }>,
  label: ReactNode,
  className = buttonClass({ variant: 'secondary' }),
) {
  const [Dialog, fetchDialog] = late(load)
  return function DialogButton(props: Props) {
    usePreload(fetchDialog)
    const [open, setOpen] = useState(false)
    return (
      <>
        <button type="button" className={className} onClick={() => setOpen(true)}>
          {label}
        </button>
        {open && <Dialog {...props} onClose={() => setOpen(false)} />}
      </>
    )
  }
}
