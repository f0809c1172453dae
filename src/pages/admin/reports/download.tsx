import download from '@lucide/icons/icons/download'
import { buttonClass } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'

export function Download({ href, className, children }: { href: string; className?: string; children: string }) {
  return (
    <a href={href} download className={buttonClass({ variant: 'secondary', small: true }, className)}>
      <Icon of={download} /> {children}
    </a>
  )
}
