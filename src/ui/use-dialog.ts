import { type ComponentType, createElement, type ReactNode, useState } from 'react'

/** One dialog at a time. `open(EditDialog, { user })` renders it with `onClose` and these props; `initial` at first. */
export function useDialog(initial?: (close: () => void) => ReactNode) {
  const [render, setRender] = useState(() => initial)
  const close = () => setRender(undefined)
  const open = <Props extends { onClose: () => void }>(Dialog: ComponentType<Props>, props: Omit<Props, 'onClose'>) =>
    setRender(() => (onClose: () => void) => createElement(Dialog, { ...props, onClose } as Props))
  return { dialog: render?.(close), open, close }
}
export type OpenDialog = ReturnType<typeof useDialog>['open']
