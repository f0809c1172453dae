import circleAlert from '@lucide/icons/icons/circle-alert'
import type { Ref } from 'react'
import { Arches } from '#ui/arches.tsx'
import { Icon } from '#ui/icon.tsx'
import { STEPS, type WizardField } from './wizard-form.ts'
import { LABELS } from './words.ts'

/** An arch for each of the four names, filled when its step is done; the current one is said. A phone shows that one's name alone. */
export function StepLine({ step }: { step: number }) {
  return (
    <ol aria-label="Steps" className="grid grid-cols-4">
      {STEPS.map(({ title }, i) => (
        <li key={title} aria-current={i === step ? 'step' : undefined}>
          <div className={`border-b-2 max-sm:[&>svg]:mx-auto ${i <= step ? 'border-sage-deep' : 'border-sand'}`}>
            <Arches count={1} filled={i < step ? 1 : 0} hasCurrent={i === step} />
          </div>
          <p
            className={`mt-2 pr-2 text-[0.875rem]/[1.3] max-sm:sr-only ${i === step ? 'font-medium text-ink' : 'text-ink-mute'}`}
          >
            {title}
          </p>
        </li>
      ))}
      <li aria-hidden className="col-span-4 mt-1 text-[0.875rem] text-ink-mute sm:hidden">
        Step {step + 1} of {STEPS.length}
      </li>
    </ol>
  )
}

/** Everything that is wrong, by the names the member knows; each leads to its field. */
export function ErrorList({
  ref,
  wrong,
  onGo,
}: {
  ref: Ref<HTMLDivElement>
  wrong: readonly { field: WizardField; message: string }[]
  onGo: (field: WizardField) => void
}) {
  return (
    <div ref={ref} role="alert" tabIndex={-1} className="mt-6 rounded-row bg-err-tint px-5 py-4 text-err outline-none">
      <p className="flex items-center gap-2 font-medium">
        <Icon of={circleAlert} aria-hidden size={20} strokeWidth={1.5} /> Please check the following:
      </p>
      <ul className="mt-2 grid gap-1 pl-7">
        {wrong.map(({ field, message }) => (
          <li key={field}>
            <button
              type="button"
              onClick={() => onGo(field)}
              className="min-h-7 text-left underline underline-offset-4"
            >
              {inWords(field, message)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** What is wrong with a field, with its name unless the sentence begins with that. */
function inWords(field: WizardField, message: string): string {
  return message.startsWith(LABELS[field]) ? message : `${LABELS[field]}: ${message}`
}
