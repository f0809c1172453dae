import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Changes } from './health-updates.tsx'

test.each([
  ['a first questionnaire without answers', true, 'No answers given.'],
  ['a later save without a change', false, 'Saved again without a change.'],
])('%s reads as such', (_, isFirst, says) => {
  expect(renderToStaticMarkup(<Changes changes="{}" isFirst={isFirst} />)).toContain(says)
})
