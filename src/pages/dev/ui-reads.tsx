import { useQuery } from '@tanstack/react-query'
import { Unreachable } from '#foundation/call.ts'
import { QueryView } from '#ui/query-view.tsx'

/** What `QueryView` shows in place of data: the way to try again, and the sentence for an empty list. */
export function Reads() {
  const failed = useQuery<string[]>({
    queryKey: ['dev', 'failed'],
    queryFn: () => Promise.reject(new Unreachable('shown on purpose')),
  })
  const empty = useQuery<string[]>({ queryKey: ['dev', 'empty'], queryFn: () => [] })
  const nothing = 'The list could not be loaded.'
  return (
    <>
      <QueryView query={failed} failed={nothing}>
        {() => null}
      </QueryView>
      <QueryView query={empty} failed={nothing} empty="No health updates yet">
        {() => null}
      </QueryView>
    </>
  )
}
