import x from '@lucide/icons/icons/x'
import { ArrowLink } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { dropPackage, dropVisit } from './unfinished.ts'
import type { useWaysBack, WayBack } from './ways-back.ts'

/** Says quietly what one was about before something else came first, and leads back to it; nothing without any. */
export function UnfinishedCard({ pass, visit }: ReturnType<typeof useWaysBack>) {
  if (!pass && !visit) return null
  return (
    <section aria-label="Where you were" className="mb-8 divide-y divide-line rounded-card bg-sage-tint px-5 sm:px-7">
      {pass && <Row way={pass} onDrop={dropPackage} />}
      {visit && <Row way={visit} onDrop={dropVisit} />}
    </section>
  )
}

function Row({ way, onDrop }: { way: WayBack; onDrop: () => void }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 py-2 sm:grid-cols-[minmax(0,1fr)_auto_auto]">
      <p className="py-2">{way.text}</p>
      <button
        type="button"
        aria-label="Not now"
        onClick={onDrop}
        className="-mr-3 grid size-11 flex-none place-items-center self-start rounded-full sm:order-last sm:self-center"
      >
        <Icon of={x} aria-hidden size={20} strokeWidth={1.5} />
      </button>
      <p className="pb-2 sm:pb-0">
        <ArrowLink to={way.to}>{way.action}</ArrowLink>
      </p>
    </div>
  )
}
