import phoneIcon from '@lucide/icons/icons/phone'
import { type ComponentProps, type ComponentType, createElement, type ReactNode, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router'
import { mayBeInvited, phoneHref } from '#accounts/rules.ts'
import { many } from '#foundation/collections.ts'
import { formatDate, weekdayOf } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import type { AdminUser } from '#insights/contract.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { present } from '#ui/use-now.ts'

/** The location state of a Quick Action: the tab opens this dialog on arrival. */
export const CREATE = { opens: 'create' } as const
export const CLOSE = { opens: 'close' } as const

const QUICK_ACTIONS = ['create', 'close', 'timetable', 'term'] as const

/** The dialog that a tab opens on arrival: of the location state, or `open` in the address. */
export function useQuickAction(): (typeof QUICK_ACTIONS)[number] | undefined {
  const [query] = useSearchParams()
  const wished = useLocation().state?.opens ?? query.get('open')
  return QUICK_ACTIONS.find((action) => action === wished)
}

/** Sets or removes one value of the address without a new history entry. */
export function useSetInAddress() {
  const [, setQuery] = useSearchParams()
  return (name: string, value: string | undefined) =>
    setQuery(
      (query) => {
        if (value) query.set(name, value)
        else query.delete(name)
        return query
      },
      { replace: true, preventScrollReset: true },
    )
}

/** Whether a phone shows a whole list (`?all=1`) instead of the next few rows, and a function that turns it on. */
export function useShowAll(): [isAll: boolean, showAll: () => void] {
  const [query] = useSearchParams()
  const set = useSetInAddress()
  return [query.has('all'), () => set('all', '1')]
}

/**
 * One dialog at a time. `open(EditDialog, { user })` renders it with `onClose` and these props, which do not change any
 * more; `initial` is open at first.
 */
export function useDialog(initial?: (close: () => void) => ReactNode) {
  const [render, setRender] = useState(() => initial)
  const close = () => setRender(undefined)
  const open = <Props extends { onClose: () => void }>(Dialog: ComponentType<Props>, props: Omit<Props, 'onClose'>) =>
    setRender(() => (onClose: () => void) => createElement(Dialog, { ...props, onClose } as Props))
  return { dialog: render?.(close), open, close }
}
export type OpenDialog = ReturnType<typeof useDialog>['open']

export const fullName = ({ firstName, lastName }: { firstName: string; lastName: string }) =>
  `${firstName} ${lastName}`.trim()

/** `email`: null without an address, undefined if unknown. */
export type UserName = { id: string; firstName: string; lastName: string; email?: string | null }

/** A link to a member's page; `inText` within a sentence. */
export function MemberLink({
  id,
  inText = false,
  className = '',
  children,
}: {
  id: string
  inText?: boolean
  className?: string
  children: ReactNode
}) {
  const target = inText ? '' : 'inline-flex min-h-8 items-center [overflow-wrap:anywhere]'
  return (
    <Link to={`/admin?tab=Users&user=${id}`} className={`link ${target} ${className}`}>
      {children}
    </Link>
  )
}

/** A small button in a row. `name` is its accessible name, with the item it acts on; `danger` colours it red. */
export function RowButton({
  label,
  name,
  danger = false,
  className = '',
  ...button
}: Omit<ComponentProps<typeof Button>, 'small' | 'children'> & { label: string; name?: string; danger?: boolean }) {
  const colour = danger ? 'not-disabled:border-err/40 not-disabled:text-err' : ''
  return (
    <Button variant="secondary" small aria-label={name} className={`${colour} ${className}`} {...button}>
      {label}
    </Button>
  )
}

/** `Monday 07/12/2026`, marked if it is today. */
export function DayHeading({ date }: { date: string }) {
  return (
    <span className="flex items-baseline gap-2">
      {weekdayOf(date)} <span className="font-normal text-ink-mute tabular-nums">{formatDate(date)}</span>
      {date === today(present()) && <Badge tone="clay">Today</Badge>}
    </span>
  )
}

const TONES = {
  warn: 'bg-warn-tint text-warn',
  plain: 'bg-linen text-ink-soft',
}

/** `We’ll email 3 people. 1 person to call, as we have no email address.`, each counted once; empty for no one. */
export function notifiedInWords(people: readonly { id: string; isByPhone: boolean }[]): string {
  const count = (isByPhone: boolean) =>
    new Set(people.filter((one) => one.isByPhone === isByPhone).map(({ id }) => id)).size
  const [emailed, called] = [count(false), count(true)]
  return [
    emailed > 0 && `We’ll email ${many(emailed, 'person', 'people')}.`,
    called > 0 && `${many(called, 'person', 'people')} to call, as we have no email address.`,
  ]
    .filter(Boolean)
    .join(' ')
}

export function Note({
  tone = 'warn',
  className = 'p-4',
  ...note
}: ComponentProps<'div'> & { tone?: keyof typeof TONES }) {
  return <div {...note} className={`rounded-row text-[0.9375rem]/[1.45] wrap-anywhere ${TONES[tone]} ${className}`} />
}

export function Section({
  title,
  level: Heading = 'h2',
  gap = 'mb-4',
  className,
  children,
}: {
  title: string
  level?: 'h2' | 'h3'
  /** The space below the title. */
  gap?: string
  className?: string
  children: ReactNode
}) {
  return (
    <section aria-label={title} className={className}>
      <Heading className={`title ${gap}`}>{title}</Heading>
      {children}
    </section>
  )
}

/** The link back and the title of a page outside the tabs. */
export function PageHead({ title, to = '/admin', back = 'Admin' }: { title: string; to?: string; back?: string }) {
  return (
    <>
      <Link to={to} className="link inline-flex min-h-11 items-center">
        Back to {back}
      </Link>
      <h1 className="mt-2 font-serif text-[2.25rem]/[1.05] tracking-[-0.01em]">{title}</h1>
    </>
  )
}

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

/** A member who cannot log in yet, and whether they were invited. */
export function InvitedBadge({ user }: { user: AdminUser }) {
  if (user.email === null) return <Badge tone="sand">Phone only</Badge>
  if (!mayBeInvited(user)) return null
  return user.invitedAt ? <Badge tone="clay">Invited</Badge> : <Badge tone="sand">Not invited yet</Badge>
}

/** A segmented control of links, kept in the address as `?view=`. The first one is the default. */
export function Views({
  label,
  views,
}: {
  label: string
  views: readonly (readonly [value: string, label: string])[]
}) {
  const [query] = useSearchParams()
  const shown = viewOf(query, views)
  return (
    <nav aria-label={label} className="flex rounded-full bg-sand p-1 max-sm:w-full max-sm:overflow-x-auto">
      {views.map(([value, text], i) => {
        const to = new URLSearchParams(query)
        for (const name of ['search', 'page', 'from', 'state']) to.delete(name)
        if (i === 0) to.delete('view')
        else to.set('view', value)
        return (
          <Link
            key={value}
            to={`?${to}`}
            preventScrollReset
            aria-current={value === shown ? 'page' : undefined}
            className="grid min-h-11 flex-1 place-items-center rounded-full px-5 text-[0.9375rem] max-sm:px-2 font-medium whitespace-nowrap text-ink-soft focus-visible:rounded-full aria-[current=page]:bg-paper aria-[current=page]:text-ink aria-[current=page]:shadow-rest"
          >
            {text}
          </Link>
        )
      })}
    </nav>
  )
}

export function viewOf<V extends string>(query: URLSearchParams, views: readonly (readonly [V, string])[]): V {
  const wished = query.get('view')
  return (views.find(([value]) => value === wished) ?? (views[0] as readonly [V, string]))[0]
}

export function Figures({ figures }: { figures: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-2 gap-x-8 border-y border-line lg:grid-cols-4">
      {figures.map(([term, value]) => (
        <div key={term} className="py-6">
          <dt className="text-[0.9375rem] text-ink-mute">{term}</dt>
          <dd className="figure mt-2 text-[2.25rem]">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** How we notify a member of a change. Needs attention also lists the call to a member without an email address. */
export const newsFor = (user: { firstName: string; email?: string | null | undefined }) =>
  user.email === null
    ? `${user.firstName} has no email address, so please tell them.`
    : `We’ll email ${user.firstName}.`

/** An email address that may wrap before its `@` only. */
export function Breakable({ text }: { text: string }) {
  const at = text.lastIndexOf('@')
  if (at < 1) return text
  return (
    <>
      {text.slice(0, at)}
      <wbr />
      {text.slice(at)}
    </>
  )
}
