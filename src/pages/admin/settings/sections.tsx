import { type ReactNode, useId } from 'react'
import {
  Controller,
  type FieldError,
  type FieldPath,
  get,
  useFieldArray,
  useFormContext,
  useWatch,
} from 'react-hook-form'
import { DAYS, hoursInWords, type Opening } from '#facts/hours.ts'
import { BRACES, withNumbers } from '#facts/numbers.ts'
import { today } from '#foundation/instants.ts'
import { Button } from '#ui/button.tsx'
import { Tick } from '#ui/choices.tsx'
import { DateField } from '#ui/date-field.tsx'
import { TextArea, TextField } from '#ui/field.tsx'
import { TimeField } from '#ui/time-field.tsx'
import { present } from '#ui/use-now.ts'
import { USUAL_RATE, type Values } from './settings-values.ts'

/** What a field needs from the form: how it is filled, and what is wrong with it. */
function useField() {
  const { register, formState } = useFormContext<Values>()
  return (name: FieldPath<Values>) => ({
    ...register(name),
    error: (get(formState.errors, name) as FieldError | undefined)?.message,
  })
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="card grid grid-cols-[minmax(0,1fr)] gap-5 p-5 sm:p-8">
      <h2 id={id} className="title">
        {title}
      </h2>
      {children}
    </section>
  )
}

/** How visitors will read it. */
function Preview({ children }: { children: ReactNode }) {
  return (
    <div className="rounded-row bg-linen px-5 py-4 text-[0.9375rem]/[1.5] wrap-anywhere">
      <p className="text-ink-mute">As visitors read it</p>
      {children}
    </div>
  )
}

const half = 'grid gap-5 sm:grid-cols-2'

export function Hours({ hours }: { hours: Record<(typeof DAYS)[number], Opening> }) {
  const field = useField()
  const { watch } = useFormContext<Values>()
  return (
    <Section title="Opening hours">
      <div className="grid gap-2">
        {DAYS.map((day) => {
          const { error, ...isOpen } = field(`hours.${day}.isOpen`)
          const opens = field(`hours.${day}.opens`)
          const closes = field(`hours.${day}.closes`)
          return (
            <fieldset key={day} className="grid items-center gap-x-5 sm:grid-cols-[11em_1fr]">
              <legend className="sr-only">{day}</legend>
              <Tick label={day} {...isOpen} />
              {watch(`hours.${day}.isOpen`) && (
                <div className="grid grid-cols-2 gap-3 pb-3 sm:pb-0">
                  <TimeField label={<span className="sr-only">{day} opens</span>} {...opens} />
                  <TimeField label={<span className="sr-only">{day} closes</span>} {...closes} />
                </div>
              )}
            </fieldset>
          )
        })}
      </div>
      <Preview>
        {hoursInWords(hours).map(({ days, times }) => (
          <p key={days}>
            {days}: {times ?? 'Closed'}
          </p>
        ))}
      </Preview>
    </Section>
  )
}

export function Notice() {
  const field = useField()
  const { control, watch } = useFormContext<Values>()
  const text = watch('notice.text')
  return (
    <Section title="Notice">
      <TextArea
        label="What every page says at the top"
        help="Leave it empty and there is no notice."
        {...field('notice.text')}
      />
      {text.trim() !== '' && (
        <>
          <Controller
            control={control}
            name="notice.until"
            render={({ field: { value, onChange, ref }, fieldState }) => (
              <DateField
                ref={ref}
                label={
                  <>
                    Last day <span className="font-normal text-ink-mute">(optional)</span>
                  </>
                }
                help="The notice disappears after this day."
                value={value}
                onChange={onChange}
                clear="No last day"
                today={today(present())}
                error={fieldState.error?.message}
              />
            )}
          />
          <p className="rounded-row bg-sage-tint px-5 py-3 wrap-anywhere">{text}</p>
        </>
      )}
    </Section>
  )
}

export function Contact() {
  const field = useField()
  return (
    <Section title="Address and contact">
      <TextField label="Street" {...field('address.street')} />
      <div className={half}>
        <TextField label="Town" {...field('address.town')} />
        <TextField label="Postcode" {...field('address.postcode')} />
      </div>
      <TextField label="County" {...field('address.county')} />
      <div className={half}>
        <TextField label="Latitude" inputMode="decimal" optional {...field('address.latitude')} />
        <TextField label="Longitude" inputMode="decimal" optional {...field('address.longitude')} />
      </div>
      <p className="-mt-2 text-[0.9375rem]/[1.4] text-ink-mute">
        Where calendars and maps put the pin. If the address changes, clear them or look them up on a map.
      </p>
      <div className={half}>
        <TextField label="Phone" type="tel" {...field('phone')} />
        <TextField
          label="Email"
          type="email"
          help="On every page, and where answers to emails go."
          {...field('email')}
        />
      </div>
      <TextField
        label="Your own email"
        type="email"
        help="For what you should know: refunds, disputes, newly saved health information. Nobody else sees it."
        {...field('ownerEmail')}
      />
    </Section>
  )
}

export function FindingUs() {
  const field = useField()
  return (
    <Section title="Finding the studio">
      <TextArea label="The door" {...field('visit.door')} />
      <TextArea label="Parking" {...field('visit.parking')} />
      <TextArea label="Train and bus" {...field('visit.transport')} />
    </Section>
  )
}

export function Prices() {
  const field = useField()
  return (
    <Section title="Prices of a class">
      <p className="-mt-2 text-[0.9375rem]/[1.4] text-ink-mute">
        On public pages, and for new classes without a price of their own. Existing classes keep theirs.
      </p>
      <div className={half}>
        <TextField label="Without a pass" inputMode="decimal" {...field('prices.price')} />
        <TextField label="With a pass" inputMode="decimal" {...field('prices.passPrice')} />
      </div>
    </Section>
  )
}

export function Vat() {
  const field = useField()
  const { control } = useFormContext<Values>()
  const { fields, append, remove } = useFieldArray({ control, name: 'vatPeriods' })
  const last = useWatch({ control, name: 'vatPeriods' }).at(-1)
  const day = today(present())
  return (
    <Section title="VAT">
      <p className="-mt-2 text-[0.9375rem]/[1.4] text-ink-mute">
        {fields.length === 0
          ? 'The studio is not registered: receipts say so.'
          : 'Each line counts from its first day until the next one begins, for sales of the past too: receipts, statements and the accountant’s file follow a correction.'}
      </p>
      {fields.map(({ id }, place) => (
        <fieldset key={id} className="grid grid-cols-[minmax(0,1fr)] gap-5 border-b border-line pb-5">
          <legend className="sr-only">VAT, line {place + 1}</legend>
          <Controller
            control={control}
            name={`vatPeriods.${place}.from`}
            render={({ field: { value, onChange, ref }, fieldState }) => (
              <DateField
                ref={ref}
                label="First day"
                value={value}
                onChange={onChange}
                today={day}
                error={fieldState.error?.message}
              />
            )}
          />
          <div className={half}>
            <TextField
              label="VAT number"
              optional
              help="Empty: not registered from this day on."
              {...field(`vatPeriods.${place}.number`)}
            />
            <TextField
              label="Rate (%)"
              inputMode="decimal"
              help="It is included in every price."
              {...field(`vatPeriods.${place}.rate`)}
            />
          </div>
          <Button
            variant="quiet"
            small
            className="justify-self-start"
            aria-label={`Remove VAT, line ${place + 1}`}
            onClick={() => remove(place)}
          >
            Remove
          </Button>
        </fieldset>
      ))}
      <Button
        variant="secondary"
        small
        className="justify-self-start"
        onClick={() => append({ from: day, number: last?.number ?? '', rate: last?.rate ?? USUAL_RATE })}
      >
        {fields.length === 0 ? 'Add a VAT registration' : 'Add a change'}
      </Button>
    </Section>
  )
}

export function Teacher() {
  const field = useField()
  return (
    <Section title="The teacher">
      <TextField label="Role" {...field('instructor.role')} />
      <TextField label="Background" help="Only what there is a certificate for." {...field('instructor.background')} />
      <TextArea label="Story" rows={10} help="Leave an empty line between paragraphs." {...field('instructor.story')} />
    </Section>
  )
}

export function Policies() {
  const field = useField()
  const { cancelling, refunds } = useFormContext<Values>().watch('policies')
  return (
    <Section title="Policies in short">
      <p className="-mt-2 text-[0.9375rem]/[1.4] text-ink-mute">
        As questions and answers say them. {BRACES.join(', ')} stand for the numbers of the contract, which stay as they
        are.
      </p>
      <TextArea label="When somebody cancels" rows={5} {...field('policies.cancelling')} />
      <TextArea label="When money comes back" rows={4} {...field('policies.refunds')} />
      <Preview>
        <p>{withNumbers(cancelling)}</p>
        <p className="mt-2">{withNumbers(refunds)}</p>
      </Preview>
    </Section>
  )
}
