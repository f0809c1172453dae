import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Changes } from './health-updates.tsx'

test.each([
  ['a first questionnaire without answers', true, 'No answers given.'],
  ['a later save without changes', false, 'Saved with no changes.'],
])('describes %s', (_, isFirst, text) => {
  expect(renderToStaticMarkup(<Changes changes="{}" isFirst={isFirst} />)).toContain(text)
})
