import phoneIcon from '@lucide/icons/icons/phone'
import { Icon } from '#ui/icon.tsx'
import { phoneHref } from '../rules.ts'

/** A phone number as a link; nothing if there is none. */
export function PhoneLink({ phone, name }: { phone: string | null; name: string }) {
  if (!phone) return null
  return (
    <a
      href={phoneHref(phone)}
      aria-label={`Call ${name}, ${phone}`}
      className="link inline-flex min-h-8 items-center gap-1.5 text-[0.9375rem] whitespace-nowrap tabular-nums"
    >
      <Icon of={phoneIcon} size={16} />
      {phone}
    </a>
  )
}
