import { zodResolver } from '@hookform/resolvers/zod'
import circleAlert from '@lucide/icons/icons/circle-alert'
import { type Ref, useEffect, useRef, useState } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import { Arches } from '#ui/arches.tsx'
import { Button } from '#ui/button.tsx'
import { showRefusedFields } from '#ui/form-fields.tsx'
import { Icon } from '#ui/icon.tsx'
import type { EmergencyContact, Questionnaire } from '../contract.ts'
import { dropDraft, keepDraft, readDraft } from './draft.ts'
import { useSaveHealth } from './health.ts'
import {
  openingAnswers,
  STEPS,
  toSend,
  type WizardAnswers,
  type WizardField,
  WizardForm,
  type WizardInput,
} from './wizard-form.ts'
import { STEP_BODIES } from './wizard-steps.tsx'
import { LABELS } from './words.ts'

const LAST = STEPS.length - 1
const ALL_FIELDS = STEPS.flatMap((step) => step.fields)

/** Four steps, each with a history entry, so that Back works. Answers stay in this tab until they are saved. */
export default function HealthWizard({
  userId,
  step,
  onStep,
  questionnaire,
  contact,
  update,
  onSaved,
  onLeave,
}: {
  userId: string
  step: number
  onStep: (step: number) => void
  questionnaire?: Questionnaire
  contact?: EmergencyContact
  update: boolean
  onSaved: () => void
  onLeave: () => void
}) {
  const [draft] = useState(() => readDraft(userId))
  const form = useForm<WizardInput, unknown, WizardAnswers>({
    resolver: zodResolver(WizardForm),
    defaultValues: { ...openingAnswers(questionnaire, contact), ...draft?.answers },
    shouldFocusError: false,
  })
  const heading = useRef<HTMLHeadingElement>(null)
  const errorList = useRef<HTMLDivElement>(null)
  const save = useSaveHealth({
    update,
    onSaved: () => {
      dropDraft()
      onSaved()
    },
    onRefused: (error) => showRefusedFields(error, form.setError, ALL_FIELDS),
  })

  const { subscribe, getValues } = form
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ values }) => keepDraft({ userId, step, answers: values }),
      }),
    [subscribe, step, userId],
  )

  // Opening the form or a step focuses its heading; following an error focuses its field.
  const wanted = useRef<WizardField>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the step is what the focus follows
  useEffect(() => {
    const field = wanted.current
    wanted.current = undefined
    if (field) return form.setFocus(field)
    scrollTo({ top: 0 })
    heading.current?.focus({ preventScroll: true })
  }, [step])

  const goTo = (next: number) => {
    keepDraft({ userId, step: next, answers: getValues() })
    onStep(next)
  }
  const showErrors = () => requestAnimationFrame(() => errorList.current?.focus())
  const next = async () => {
    const fields = STEPS[step]?.fields ?? []
    if (await form.trigger([...fields])) goTo(step + 1)
    else showErrors()
  }
  const goToField = (field: WizardField) => {
    const at = STEPS.findIndex((s) => s.fields.includes(field))
    if (at === step) return form.setFocus(field)
    wanted.current = field
    goTo(at)
  }

  const errors = form.formState.errors
  const wrong = ALL_FIELDS.flatMap((field) =>
    errors[field]?.message ? [{ field, message: String(errors[field].message) }] : [],
  )
  const Body = STEP_BODIES[step]
  return (
    <FormProvider {...form}>
      <form
        noValidate
        method="post"
        className="w-full max-w-[600px]"
        onSubmit={(event) => {
          event.preventDefault()
          if (step < LAST) void next()
          else void form.handleSubmit((answers) => save.mutate(toSend(answers)), showErrors)(event)
        }}
      >
        <StepLine step={step} />
        <h2 ref={heading} tabIndex={-1} className="display-3 mt-3 outline-none sm:mt-10">
          {STEPS[step]?.title}
        </h2>
        {wrong.length > 0 && <ErrorList ref={errorList} wrong={wrong} onGo={goToField} />}
        <div className="mt-5 grid gap-5 sm:mt-6 sm:gap-7">{Body && <Body />}</div>
        <div className="mt-6 flex flex-wrap-reverse items-center justify-between gap-3 border-t max-sm:[&>.btn]:grow border-line pt-4 sm:mt-10 sm:pt-6">
          <Button variant="secondary" disabled={step === 0} onClick={() => goTo(step - 1)}>
            Previous
          </Button>
          {step < LAST ? (
            <Button type="submit">Next</Button>
          ) : (
            <Button type="submit" busy={save.isPending}>
              {update ? 'Update Information' : 'Complete Questionnaire'}
            </Button>
          )}
        </div>
        <p className="mt-3 text-center sm:mt-6">
          <button type="button" onClick={onLeave} className="link min-h-11">
            Back to Overview
          </button>
        </p>
      </form>
    </FormProvider>
  )
}

/** An arch for each step, filled when it is done. A phone shows only the current step's name. */
export function StepLine({ step }: { step: number }) {
  return (
    <ol aria-label="Steps" className="grid grid-cols-4">
      {STEPS.map(({ title }, i) => (
        <li key={title} aria-current={i === step ? 'step' : undefined}>
          <div className={`border-b-2 max-sm:[&>svg]:mx-auto ${i <= step ? 'border-sage-deep' : 'border-sand'}`}>
            <Arches count={1} filled={i < step ? 1 : 0} hasCurrent={i === step} />
          </div>
          <p
            className={`mt-2 pr-2 text-caption/[1.3] max-sm:sr-only ${i === step ? 'font-medium text-ink' : 'text-ink-mute'}`}
          >
            {title}
          </p>
        </li>
      ))}
      <li aria-hidden className="col-span-4 mt-1 text-caption text-ink-mute sm:hidden">
        Step {step + 1} of {STEPS.length}
      </li>
    </ol>
  )
}

function ErrorList({
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
        <Icon of={circleAlert} size={20} /> Please check the following:
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

/** An error with its field's name, unless it starts with it. */
function inWords(field: WizardField, message: string): string {
  return message.startsWith(LABELS[field]) ? message : `${LABELS[field]}: ${message}`
}
