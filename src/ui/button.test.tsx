import type { MouseEvent } from 'react'
import { expect, test } from 'vitest'
import { Button } from './button.tsx'

/** Clicks a button. Returns how often the handler ran, and whether the form's submit was prevented. */
function click(busy: boolean) {
  let heard = 0
  let kept = false
  const event = { preventDefault: () => (kept = true) } as unknown as MouseEvent<HTMLButtonElement>
  Button({ busy, onClick: () => (heard += 1), children: 'Pay' }).props.onClick(event)
  return { heard, kept }
}

test('a busy button hears no click and sends no form; one that is not hears every click', () => {
  expect(click(true)).toEqual({ heard: 0, kept: true })
  expect(click(false)).toEqual({ heard: 1, kept: false })
})
