import type { COMPLAINT_CHANNELS } from '#privacy/rules.ts'

export const CHANNELS: Record<(typeof COMPLAINT_CHANNELS)[number], string> = {
  account: 'In Health Info',
  website: 'On the contact page',
  phone: 'By phone',
  letter: 'By letter',
  email: 'By email',
  social: 'On a social network',
  in_person: 'In person',
}

/** How the owner chooses it. */
export const RECORDED_CHANNELS = (['phone', 'letter', 'email', 'social', 'in_person'] as const).map(
  (channel) => [channel, CHANNELS[channel]] as const,
)
