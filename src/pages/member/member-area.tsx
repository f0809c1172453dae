import { Outlet } from 'react-router'
import { temporalReady } from '../../foundation/temporal.ts'
import { useSoon } from '../../ui/late.tsx'
import { loadToasts } from '../../ui/toaster.tsx'
import { WithoutScript } from '../shell/without-script.tsx'

/** The server draws these pages as well. */
export const loader = () => null

/** Member pages compare instants: Temporal is there before they draw. */
export async function clientLoader() {
  await temporalReady()
  return null
}

export default function MemberArea() {
  useSoon(loadToasts)
  return (
    <>
      <WithoutScript />
      <div className="workroom">
        <Outlet />
      </div>
    </>
  )
}
