import { Outlet } from 'react-router'
import { temporalReady } from '../../foundation/temporal.ts'
import { PageSpinner } from '../../ui/spinner.tsx'

/** Member pages compare instants: Temporal is there before they draw. */
export async function clientLoader() {
  await temporalReady()
  return null
}

export default function MemberArea() {
  return <Outlet />
}

export function HydrateFallback() {
  return <PageSpinner />
}
