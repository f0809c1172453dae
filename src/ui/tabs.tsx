import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'

/** A segmented control of two or three tabs with their panels. Arrow keys move; panels keep what was typed. */
export function Tabs<Value extends string>({
  label,
  tabs,
  value,
  onChange,
}: {
  label: string
  tabs: readonly { value: Value; label: string; panel: ReactNode }[]
  value: Value
  onChange: (value: Value) => void
}) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const at = tabs.findIndex((tab) => tab.value === value)
    const next = (at + step + tabs.length) % tabs.length
    onChange((tabs[next] as (typeof tabs)[number]).value)
    list.current?.querySelectorAll('button')[next]?.focus()
  }
  return (
    <>
      <div ref={list} role="tablist" aria-label={label} className="flex rounded-full bg-sand p-1">
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab.value === value}
            aria-controls={`${id}-${tab.value}-panel`}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onChange(tab.value)}
            onKeyDown={move}
            className="min-h-11 flex-1 rounded-full px-5 text-[0.9375rem] font-medium text-ink-soft transition-colors focus-visible:rounded-full aria-selected:bg-paper aria-selected:text-ink aria-selected:shadow-rest"
          >
            {tab.label}
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.value}
          role="tabpanel"
          id={`${id}-${tab.value}-panel`}
          aria-labelledby={`${id}-${tab.value}`}
          hidden={tab.value !== value}
          className="pt-8"
        >
          {tab.panel}
        </div>
      ))}
    </>
  )
}
