import type { ReactNode } from 'react'

const TONES = {
  ok: 'bg-ok-tint text-ok',
  warn: 'bg-warn-tint text-warn',
  err: 'bg-err-tint text-err',
  info: 'bg-info-tint text-info',
  clay: 'bg-clay-tint text-clay',
  sand: 'bg-sand text-ink-soft',
  paper: 'bg-paper text-sage-deep',
  quiet: 'px-0 font-normal text-ink-mute',
}

export function Badge({ tone, children }: { tone: keyof typeof TONES; children: ReactNode }) {
  return <span className={`badge ${TONES[tone]}`}>{children}</span>
}
