import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { StepLine } from './wizard.tsx'

/** The state of a step's arch. */
function stateOf(item: string): string {
  const [filled = '', , inner] = Array.from(item.matchAll(/<path d="([^"]*)"/g), ([, d]) => d)
  if (filled.includes('a')) return 'filled'
  return inner?.includes('a6 6') ? 'current' : 'empty'
}

test.each([
  [0, ['current', 'empty', 'empty', 'empty']],
  [1, ['filled', 'current', 'empty', 'empty']],
  [3, ['filled', 'filled', 'filled', 'current']],
])('on step %i, earlier steps are filled and the current one is marked and announced', (step, states) => {
  const items = renderToStaticMarkup(<StepLine step={step} />)
    .split('<li')
    .slice(1, 5)
  expect(items.map(stateOf)).toEqual(states)
  expect(items.map((item) => item.includes('aria-current="step"'))).toEqual(states.map((state) => state === 'current'))
})
