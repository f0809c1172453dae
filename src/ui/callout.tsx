import type { ComponentProps } from 'react'

const TONES = {
  warn: 'bg-warn-tint text-warn',
  plain: 'bg-linen text-ink-soft',
}

/** A tinted box for what the reader must notice. */
export function Callout({
  tone = 'warn',
  className = 'p-4',
  ...box
}: ComponentProps<'div'> & { tone?: keyof typeof TONES }) {
  return <div {...box} className={`rounded-row text-small/even wrap-anywhere ${TONES[tone]} ${className}`} />
}
