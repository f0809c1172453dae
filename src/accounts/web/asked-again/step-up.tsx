import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { setTransport } from '#foundation/call.ts'
import { late } from '#ui/late.tsx'
import { createStore } from '#ui/store.ts'

type Asked = { settle: (hasProved: boolean) => void }

const [useAsked, change] = createStore<Asked | undefined>(undefined)
const [ConfirmItIsMe] = late(() => import('./confirm-it-is-me.tsx'))
/** How many pages stand ready to ask; without one a refusal is a refusal. */
let ready = 0
let asking: Promise<boolean> | undefined

/** Asks once for everything that waits for it. */
function ask(): Promise<boolean> {
  asking ??= new Promise<boolean>((resolve) => change(() => ({ settle: resolve }))).finally(() => {
    asking = undefined
    change(() => undefined)
  })
  return asking
}

/** Sends a request; where the server asks first who is there, that is asked and the same request sent again. */
async function sendProved(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(path, init)
  if (response.status !== 403 || ready === 0 || !(await asksWhoIsThere(response.clone()))) return response
  return (await ask()) ? await fetch(path, init) : response
}

async function asksWhoIsThere(response: Response): Promise<boolean> {
  const said: unknown = await response.json().catch(() => undefined)
  return Object(said).stepUp === true
}

/** Stands on every page whose calls may be answered with `stepUp`. */
export function StepUps() {
  const asked = useAsked()
  const { key } = useLocation()
  useEffect(() => {
    ready++
    setTransport(sendProved)
    return () => {
      ready--
    }
  }, [])
  // Another page, or a step back: what was waited for is no longer wanted.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is what ends it
  useEffect(() => () => asked?.settle(false), [key, asked])
  return asked ? <ConfirmItIsMe onDone={asked.settle} /> : null
}
