import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
import { buttonClass } from './button.tsx'
import { useSoon } from './use-soon.ts'

type Shown = { onClose: () => void }

/**
 * A button and its dialog, whose code comes once the page stands.
 *
 * @param load imports the dialog
 */
export function dialogButton<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props & Shown> }>,
  label: ReactNode,
  className = buttonClass({ variant: 'secondary' }),
) {
  const Dialog = lazy(load)
  return function DialogButton(props: Props) {
    useSoon(load)
    const [open, setOpen] = useState(false)
    return (
      <>
        <button type="button" className={className} onClick={() => setOpen(true)}>
          {label}
        </button>
        {open && (
          <Suspense>
            <Dialog {...props} onClose={() => setOpen(false)} />
          </Suspense>
        )}
      </>
    )
  }
}
