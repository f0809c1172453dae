import type { UseQueryResult } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CallError } from '#foundation/call.ts'
import { QueryView } from './query-view.tsx'

function failed(error: Error): string {
  const query = { isPending: false, isError: true, error } as UseQueryResult<string>
  return renderToStaticMarkup(
    <QueryView query={query} failed="Failed to load health updates">
      {() => null}
    </QueryView>,
  )
}

test('names what could not be loaded, and the server’s reason below it', () => {
  const page = failed(new CallError(500, '{"message":"Something went wrong."}', ''))
  expect(page).toMatch(/class="title">Failed to load health updates<.*<p[^>]*>Something went wrong\.</)
})

test('gives no reason that nobody could read', () => {
  expect(failed(new TypeError('x is undefined'))).not.toContain('x is undefined')
})
