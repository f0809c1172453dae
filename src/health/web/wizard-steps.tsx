import shieldCheck from '@lucide/icons/icons/shield-check'
import type { ReactNode } from 'react'
import { useFormContext } from 'react-hook-form'
import { Link } from 'react-router'
import { studio } from '#studio.ts'
import { RadioCards, Tick } from '#ui/choices.tsx'
import { TextArea, TextField } from '#ui/field.tsx'
import { Icon } from '#ui/icon.tsx'
import { HEALTH_FLAGS } from '../rules.ts'
import type { WizardField, WizardInput } from './wizard-form.ts'
import { CHOICES, LABELS } from './words.ts'

/** Registration, label and error of a field, ready to spread. */
function useFieldProps() {
  const { register, formState } = useFormContext<WizardInput>()
  return (field: WizardField) => ({
    ...register(field),
    label: LABELS[field],
    error: formState.errors[field]?.message as string | undefined,
  })
}

function Reassurance({ children }: { children: ReactNode }) {
  return (
    <p className="flex gap-3 rounded-row bg-linen px-5 py-4 text-base/[1.5] text-ink-soft">
      <Icon of={shieldCheck} aria-hidden size={22} strokeWidth={1.5} className="mt-0.5 flex-none text-sage" />
      <span>{children}</span>
    </p>
  )
}

function MedicalHistory() {
  const field = useFieldProps()
  return (
    <>
      <Reassurance>
        Only {studio.instructor.name} and the studio’s administrators can read your answers. They are stored encrypted.
        Leave out what does not apply to you.
      </Reassurance>
      <fieldset>
        <legend className="mb-1 text-[0.9375rem] font-medium">Do any of these apply to you?</legend>
        <div className="grid grid-cols-[repeat(auto-fill,minmax(min(10rem,100%),1fr))] gap-x-3 sm:gap-x-6">
          {HEALTH_FLAGS.map((flag) => (
            <Tick key={flag} {...field(flag)} />
          ))}
        </div>
      </fieldset>
      <div className="grid gap-4">
        <TextArea {...field('currentMedications')} rows={1} />
        <TextArea {...field('allergies')} rows={1} />
        <TextArea {...field('previousInjuries')} rows={1} />
        <TextArea {...field('chronicConditions')} rows={1} />
      </div>
      <RadioCards {...field('pregnancyStatus')} options={CHOICES.pregnancyStatus} />
    </>
  )
}

function ExerciseBackground() {
  const field = useFieldProps()
  return (
    <>
      <RadioCards {...field('fitnessLevel')} options={CHOICES.fitnessLevel} />
      <RadioCards {...field('exerciseFrequency')} options={CHOICES.exerciseFrequency} />
      <RadioCards {...field('pilatesExperience')} options={CHOICES.pilatesExperience} />
      <TextArea {...field('fitnessGoals')} />
      <TextArea {...field('specificConcerns')} />
    </>
  )
}

function EmergencyContactStep() {
  const field = useFieldProps()
  return (
    <>
      <p className="text-ink-soft">Who should we call if something happens to you at the studio?</p>
      <TextField {...field('contactName')} autoComplete="off" />
      <TextField {...field('relationship')} autoComplete="off" help="For example partner, parent or friend." />
      <TextField {...field('phoneNumber')} type="tel" autoComplete="off" />
      <TextField {...field('email')} type="email" autoComplete="off" optional />
    </>
  )
}

function Consent() {
  const field = useFieldProps()
  return (
    <>
      <Reassurance>
        We use your answers to teach you safely and for nothing else, and delete them six months after your last class.
        More in the{' '}
        <Link to="/privacy-policy" target="_blank" className="link">
          privacy policy
        </Link>
        .
      </Reassurance>
      <div className="grid gap-4">
        <Tick
          {...field('healthDisclaimer')}
          label="I confirm that my answers are true and complete as far as I know, that I take part at my own responsibility, and that I will tell the instructor about any change in my health before a class."
        />
        <Tick
          {...field('dataConsent')}
          label="I consent to the studio processing my health information so that classes can be planned safely for me."
        />
        <Tick {...field('marketingConsent')} label="I would like to hear about news and offers by email (optional)." />
      </div>
    </>
  )
}

/** The body of each step, in order. */
export const STEP_BODIES = [MedicalHistory, ExerciseBackground, EmergencyContactStep, Consent]
