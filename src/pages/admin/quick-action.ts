import { useState } from 'react'
import { useLocation } from 'react-router'

/** What a Quick Action hands to the tab it leads to: the dialog is to be open on arrival. */
export const CREATE = { create: true } as const

/** Whether a tab's create dialog is open. */
export function useCreating() {
  const { state } = useLocation()
  return useState<boolean>(() => state?.create === true)
}
