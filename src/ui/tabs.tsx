import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'

type Tab<Value> = { value: Value; label: string; panel: ReactNode }

/** Two or three tabs with their panels. Arrow keys move between them. */
export function Tabs<Value extends string>({
  label,
  tabs,
  value,
  onChange,
  onApproach,
}: {
  label: string
  tabs: readonly [Tab<Value>, ...Tab<Value>[]]
  value: Value
  onChange: (value: Value) => void
  onApproach?: () => void
}) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const at = tabs.findIndex((tab) => tab.value === value)
    const next = (at + step + tabs.length) % tabs.length
    onChange((tabs[next] ?? tabs[0]).value)
    list.current?.querySelectorAll('button')[next]?.focus()
  }
  const shown = tabs.find((tab) => tab.value === value) ?? tabs[0]
  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        onPointerEnter={onApproach}
        onFocus={onApproach}
        className="flex rounded-full bg-sand p-1"
      >
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab.value === value}
            aria-controls={tab === shown ? `${id}-${tab.value}-panel` : undefined}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onChange(tab.value)}
            onKeyDown={move}
            className="min-h-11 flex-1 rounded-full px-5 text-small font-medium text-ink-soft transition-colors focus-visible:rounded-full aria-selected:bg-paper aria-selected:text-ink aria-selected:shadow-rest"
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div
        key={shown.value}
        role="tabpanel"
        id={`${id}-${shown.value}-panel`}
        aria-labelledby={`${id}-${shown.value}`}
        className="pt-8"
      >
        {shown.panel}
      </div>
    </>
  )
}
