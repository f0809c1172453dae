import { type ComponentProps, createElement } from 'react'

export type IconData = { name: string; node: [tag: string, attributes: Record<string, string>][] }

/** A decorative Lucide icon, 24 pixels wide unless `size` is given: `<Icon of={check} />`. Lucide's own is larger. */
export function Icon({ of, size = 24, ...svg }: ComponentProps<'svg'> & { of: IconData; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      data-icon={of.name}
      aria-hidden
      {...svg}
    >
      {of.node.map(([tag, attributes]) => createElement(tag, attributes))}
    </svg>
  )
}
