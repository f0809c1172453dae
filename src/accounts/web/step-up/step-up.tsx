import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { setTransport } from '#foundation/call.ts'
import { late } from '#ui/late.tsx'

const [ConfirmItIsMe] = late(() => import('./confirm-it-is-me.tsx'))

type Prompt = { settle: (hasProved: boolean) => void }

/**
 * Part of the shell. If the server refuses a request with `stepUp`, it asks the user to confirm who they are and
 * repeats the request. Concurrent requests share one prompt.
 */
export function StepUp() {
  const [prompt, setPrompt] = useState<Prompt>()
  const pending = useRef<Promise<boolean>>(undefined)
  const { key } = useLocation()
  useEffect(() => {
    const askOnce = () => {
      pending.current ??= new Promise<boolean>((settle) => setPrompt({ settle })).finally(() => {
        pending.current = undefined
        setPrompt(undefined)
      })
      return pending.current
    }
    setTransport(async (path, init) => {
      const response = await fetch(path, init)
      if (response.status !== 403 || !(await needsStepUp(response.clone()))) return response
      return (await askOnce()) ? await fetch(path, init) : response
    })
  }, [])
  // Leaving the page cancels it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the location is what ends it
  useEffect(() => () => prompt?.settle(false), [key, prompt])
  return prompt ? <ConfirmItIsMe onDone={prompt.settle} /> : null
}

async function needsStepUp(response: Response): Promise<boolean> {
  const body: unknown = await response.json().catch(() => undefined)
  return Object(body).stepUp === true
}
