import { Outlet } from 'react-router'
import { temporalReady } from '../../foundation/temporal.ts'
import { PageSpinner } from '../../ui/spinner.tsx'
import { loadToasts } from '../../ui/toaster.tsx'
import { useSoon } from '../../ui/use-soon.ts'

/** Member pages compare instants: Temporal is there before they draw. */
export async function clientLoader() {
  await temporalReady()
  return null
}

export default function MemberArea() {
  useSoon(loadToasts)
  return <Outlet />
}

export function HydrateFallback() {
  return <PageSpinner />
}
