import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { useRef } from 'react'

/** A mutation that ignores calls while it is running. */
export function useSingleMutation<Answer, Sent = void>(options: UseMutationOptions<Answer, Error, Sent>) {
  const running = useRef(false)
  const mutation = useMutation<Answer, Error, Sent>({
    ...options,
    onSettled: (...args) => {
      running.current = false
      return options.onSettled?.(...args)
    },
  })
  const { mutate } = mutation
  return {
    ...mutation,
    mutate: (sent: Sent) => {
      if (running.current) return
      running.current = true
      mutate(sent)
    },
  }
}
