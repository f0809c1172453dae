import type { MouseEvent } from 'react'
import { expect, test } from 'vitest'
import { Button } from './button.tsx'

/** Clicks a button. Returns how often the handler ran, and whether the form's submit was prevented. */
function click(busy: boolean) {
  let clicks = 0
  let isPrevented = false
  const event = { preventDefault: () => (isPrevented = true) } as unknown as MouseEvent<HTMLButtonElement>
  Button({ busy, onClick: () => (clicks += 1), children: 'Pay' }).props.onClick(event)
  return { clicks, isPrevented }
}

test("ignores clicks and prevents the form's submit only while busy", () => {
  expect(click(true)).toEqual({ clicks: 0, isPrevented: true })
  expect(click(false)).toEqual({ clicks: 1, isPrevented: false })
})
