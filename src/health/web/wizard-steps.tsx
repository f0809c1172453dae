import shieldCheck from '@lucide/icons/icons/shield-check'
import type { ReactNode } from 'react'
import { useFacts } from '#content/web/facts.tsx'
import { studio } from '#studio.ts'
import { TextLink } from '#ui/button.tsx'
import { RadioCards, Tick } from '#ui/form-choices.tsx'
import { TextArea, TextField } from '#ui/form-fields.tsx'
import { Icon } from '#ui/icon.tsx'
import { consents } from '../consents.ts'
import { HEALTH_CHOICES, HEALTH_FLAGS, HEALTH_GOALS, HEALTH_HISTORY } from '../rules.ts'
import { CHOICES, LABELS } from './words.ts'

function Reassurance({ children }: { children: ReactNode }) {
  return (
    <p className="flex gap-3 rounded-row bg-linen px-5 py-4 text-base/normal text-ink-soft">
      <Icon of={shieldCheck} size={22} className="mt-0.5 flex-none text-sage" />
      <span>{children}</span>
    </p>
  )
}

function Choice({ name }: { name: (typeof HEALTH_CHOICES)[number] }) {
  return <RadioCards name={name} label={LABELS[name]} options={CHOICES[name]} />
}

function MedicalHistory() {
  return (
    <>
      <Reassurance>
        Only {useFacts().instructor.name} and the studio’s administrators can read your answers. They are stored
        encrypted. Leave out what does not apply to you.
      </Reassurance>
      <fieldset>
        <legend className="mb-1 text-small font-medium">Do any of these apply to you?</legend>
        <div className="grid grid-cols-[repeat(auto-fill,minmax(min(10rem,100%),1fr))] gap-x-3 sm:gap-x-6">
          {HEALTH_FLAGS.map((name) => (
            <Tick key={name} name={name} label={LABELS[name]} />
          ))}
        </div>
      </fieldset>
      <div className="grid gap-4">
        {HEALTH_HISTORY.map((name) => (
          <TextArea key={name} name={name} label={LABELS[name]} rows={1} />
        ))}
      </div>
      <Choice name="pregnancyStatus" />
    </>
  )
}

function ExerciseBackground() {
  return (
    <>
      {HEALTH_CHOICES.filter((name) => name !== 'pregnancyStatus').map((name) => (
        <Choice key={name} name={name} />
      ))}
      {HEALTH_GOALS.map((name) => (
        <TextArea key={name} name={name} label={LABELS[name]} />
      ))}
    </>
  )
}

function EmergencyContactStep() {
  return (
    <>
      <p className="text-ink-soft">Who should we call if something happens to you at the studio?</p>
      <TextField name="contactName" label={LABELS.contactName} autoComplete="off" />
      <TextField
        name="relationship"
        label={LABELS.relationship}
        autoComplete="off"
        help="For example partner, parent or friend."
      />
      <TextField name="phoneNumber" label={LABELS.phoneNumber} type="tel" autoComplete="off" />
      <TextField name="email" label={LABELS.email} type="email" autoComplete="off" optional />
    </>
  )
}

function Consent() {
  return (
    <>
      <Reassurance>
        We use your answers to teach you safely and for nothing else, and delete them{' '}
        {studio.policies.retention.healthMonths} months after your last class. The same goes for notes that your
        instructor may write about your sessions: they are in the copy of your data that you can download. More in the{' '}
        <TextLink to="/privacy-policy" target="_blank">
          privacy policy
        </TextLink>
        .
      </Reassurance>
      <div className="grid gap-4">
        <Tick name="healthDisclaimer" label={consents.healthDisclaimer} />
        <Tick name="dataConsent" label={consents.dataConsent} />
        <Tick name="marketingConsent" label={consents.marketingConsent} />
      </div>
    </>
  )
}

export const STEP_BODIES = [MedicalHistory, ExerciseBackground, EmergencyContactStep, Consent]
