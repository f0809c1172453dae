import { useState } from 'react'
import { useLocation } from 'react-router'

/** What a Quick Action hands to the tab it leads to: the dialog is to be open on arrival. */
export const CREATE = { opens: 'create' } as const
export const CLOSE = { opens: 'close' } as const

/** Whether a tab's dialog is open: at once for who comes by its Quick Action. */
export function useOpened({ opens }: typeof CREATE | typeof CLOSE) {
  const { state } = useLocation()
  return useState<boolean>(() => state?.opens === opens)
}
