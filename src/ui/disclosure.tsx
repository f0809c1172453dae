import chevronDown from '@lucide/icons/icons/chevron-down'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Icon } from './icon.tsx'

/**
 * A `<details>` whose content is rendered only while it is open. `large`: as prominent as a section title; `isOpen`: at
 * first.
 */
export function Disclosure({
  label,
  large = false,
  isOpen = false,
  className,
  children,
}: {
  label: ReactNode
  large?: boolean
  isOpen?: boolean
  className: string
  children: ReactNode
}) {
  const [open, setOpen] = useState(isOpen)
  const details = useRef<HTMLDetailsElement>(null)
  // It may have been opened before hydration.
  useEffect(() => setOpen(details.current?.open === true), [])
  return (
    <details
      ref={details}
      open={isOpen || undefined}
      className={`group border-t border-line pt-2 ${className}`}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary
        className={`flex min-h-11 cursor-pointer list-none items-center rounded-field [&::-webkit-details-marker]:hidden ${
          large ? 'title gap-3' : 'gap-2 text-small font-medium'
        }`}
      >
        <Icon
          of={chevronDown}
          size={large ? 20 : 18}
          className="flex-none -rotate-90 transition-transform group-open:rotate-0"
        />
        {label}
      </summary>
      {open && children}
    </details>
  )
}
