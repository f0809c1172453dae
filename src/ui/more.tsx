import ellipsis from '@lucide/icons/icons/ellipsis'
import { type ReactNode, useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { Icon } from './icon.tsx'
import { Mark } from './mark.tsx'
import { useOpenDialog } from './open-dialogs.tsx'

/** What a menu offers: something to do, a page of the site, or an address that the browser opens or downloads. */
export type MoreItem = {
  label: string
  /** The accessible name, where `label` does not say what it acts on. */
  name?: string
  danger?: boolean
  disabled?: boolean
} & (
  | { onSelect: () => void }
  | { to: string }
  | { href: string; opens: 'here' | 'new tab' | 'download'; onSelect?: () => void }
)

/**
 * The menu of a row: a sheet from the bottom of a phone, below the button elsewhere. Renders nothing without items;
 * falsy items are left out. The button has the focus again when something is chosen, so that a dialog returns it there.
 *
 * @param props.of what the row is
 * @param props.name of the button
 * @param props.note why something is not offered
 * @param props.busy something that was chosen is not done yet
 * @param props.children its content, with `className` as its look
 */
export function More({
  of,
  items,
  name = `More for ${of}`,
  note,
  busy = false,
  className = DOTS,
  children = <Icon of={ellipsis} size={20} />,
}: {
  of: string
  items: readonly (MoreItem | false | null | undefined)[]
  name?: string
  note?: string
  busy?: boolean
  className?: string
  children?: ReactNode
}) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const shown = items.filter((item) => !!item)
  if (shown.length === 0) return null
  const close = () => {
    button.current?.focus()
    menu.current?.hidePopover()
  }
  return (
    <>
      <button
        type="button"
        ref={button}
        popoverTarget={id}
        aria-label={name}
        aria-busy={busy || undefined}
        className={className}
      >
        {busy ? <Mark className="mark-drawing" /> : children}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={name}
        onBeforeToggle={({ newState }) => {
          // Its items go before the browser could give the focus back.
          if (menu.current?.contains(document.activeElement)) button.current?.focus()
          setOpen(newState === 'open')
        }}
        onToggle={({ newState }) =>
          newState === 'open' && menu.current?.querySelector<HTMLElement>('a, button:enabled')?.focus()
        }
        className="more-menu"
      >
        {isOpen && (
          <>
            <Opened onClose={close} />
            <p className="px-5 pt-4 pb-2 text-small text-ink-mute sm:hidden">{of}</p>
            {note && <p className="px-5 pt-3 text-caption/snug text-ink-mute max-sm:pt-0 max-sm:pb-2">{note}</p>}
            <ul className="p-2 max-sm:pt-0 max-sm:pb-6">
              {shown.map((item, i) => (
                <li
                  key={item.label}
                  className={i > 0 && item.danger && !shown[i - 1]?.danger ? 'mt-2 border-t border-line pt-2' : ''}
                >
                  <Item item={item} onClose={close} />
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </>
  )
}

const DOTS = 'inline-grid size-11 flex-none place-items-center rounded-full text-ink-soft hover:bg-linen hover:text-ink'

const OPENS = { here: {}, 'new tab': { target: '_blank', rel: 'noreferrer' }, download: { download: true } } as const

/** Registers the menu, so that Escape closes it before a toast. */
function Opened({ onClose }: { onClose: () => void }) {
  useOpenDialog(onClose, true)
  return null
}

function Item({ item, onClose }: { item: MoreItem; onClose: () => void }) {
  const { label, name, danger, disabled } = item
  const look = `flex min-h-11 w-full sm:min-h-10 items-center rounded-field px-3 text-left text-small hover:bg-linen disabled:text-ink-mute disabled:hover:bg-transparent ${danger ? 'text-err' : ''}`
  if ('to' in item)
    return (
      <Link to={item.to} aria-label={name} onClick={onClose} className={look}>
        {label}
      </Link>
    )
  if ('href' in item)
    return (
      <a
        href={item.href}
        aria-label={name}
        onClick={() => {
          onClose()
          item.onSelect?.()
        }}
        className={look}
        {...OPENS[item.opens]}
      >
        {label}
      </a>
    )
  return (
    <button
      type="button"
      aria-label={name}
      disabled={disabled}
      className={look}
      onClick={() => {
        onClose()
        item.onSelect()
      }}
    >
      {label}
    </button>
  )
}
