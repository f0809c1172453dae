import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const css = readFileSync(join(import.meta.dirname, 'theme.css'), 'utf8')
const colours = Object.fromEntries(
  [...css.matchAll(/--color-([\w-]+): (#\w{3,6});/g)].map(([, name, hex]) => [name, hex]),
)

/** WCAG 2.2, relative luminance. */
function luminance(name: string): number {
  const hex = (colours[name] ?? '').slice(1)
  const full = hex.length === 3 ? hex.replace(/./g, '$&$&') : hex
  const [r = 0, g = 0, b = 0] = [...full.matchAll(/../g)].map(([pair]) => {
    const share = Number.parseInt(pair, 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

test.each([
  ['body text and links', 7, ['ink', 'ink-soft', 'sage-deep'], ['white', 'paper', 'linen']],
  ['text on the main buttons and on toasts', 7, ['paper'], ['sage-dark', 'ink']],
  ['captions and states', 4.5, ['ink-mute', 'ok', 'warn', 'err', 'info', 'clay'], ['white', 'paper', 'linen']],
  ['edges of fields and buttons', 3, ['line-strong'], ['white', 'paper', 'linen']],
] as const)('%s have a contrast of at least %d', (_, least, texts, grounds) => {
  for (const text of texts)
    for (const ground of grounds) expect(contrast(text, ground), `${text} on ${ground}`).toBeGreaterThanOrEqual(least)
})

test.each(['ok', 'warn', 'err', 'info', 'clay'])('a badge in %s is readable on its tint', (state) => {
  expect(contrast(state, `${state}-tint`)).toBeGreaterThanOrEqual(4.5)
})
