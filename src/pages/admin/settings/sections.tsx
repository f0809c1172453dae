import { type ReactNode, useId } from 'react'
import { useFieldArray, useFormContext, useWatch } from 'react-hook-form'
import { fillPolicyNumbers, PLACEHOLDERS } from '#facts/numbers.ts'
import { DAYS, hoursInWords, type Opening } from '#facts/rules-hours.ts'
import { today } from '#foundation/instants.ts'
import { Button } from '#ui/button.tsx'
import { SelectField, Tick, TimeField } from '#ui/form-choices.tsx'
import { DateField } from '#ui/form-date-field.tsx'
import { TextArea, TextField } from '#ui/form-fields.tsx'
import { present } from '#ui/use-now.ts'
import { USUAL_RATE, type Values } from './settings-values.ts'

export const Hint = ({ children }: { children: ReactNode }) => (
  <p className="-mt-2 text-small/snug text-ink-mute">{children}</p>
)

/** @param id its place in the page's address: `#hours` */
export function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  const heading = useId()
  return (
    <section
      id={id}
      tabIndex={-1}
      aria-labelledby={heading}
      className="card grid scroll-mt-4 outline-none first:scroll-mt-50 grid-cols-[minmax(0,1fr)] gap-5 p-5 sm:p-8"
    >
      <h2 id={heading} className="title">
        {title}
      </h2>
      {children}
    </section>
  )
}

function Preview({ children }: { children: ReactNode }) {
  return (
    <div className="border-t border-line pt-4 text-small/normal wrap-anywhere">
      <p className="text-ink-mute">As visitors read it</p>
      {children}
    </div>
  )
}

const half = 'grid gap-5 sm:grid-cols-2'

export function Studio() {
  return (
    <Section id="name" title="The studio">
      <TextField name="name" label="Studio name" help="On every page, in every email and on receipts." />
      <div className={half}>
        <TextField name="social.name" label="Social network" optional />
        <TextField name="social.url" label="Link to your page" type="url" optional help="Begins with https://" />
      </div>
      <TextField
        name="reviewUrl"
        label="Review link"
        type="url"
        optional
        help="Where members can review you in public, on Google or elsewhere. In Messages, ‘Ask for a review’ sends it."
      />
    </Section>
  )
}

export function Hours({ hours }: { hours: Record<(typeof DAYS)[number], Opening> }) {
  const { watch } = useFormContext<Values>()
  return (
    <Section id="hours" title="Opening hours">
      <div className="grid gap-2">
        {DAYS.map((day) => (
          <fieldset
            key={day}
            className="grid grid-cols-[8.5rem_minmax(0,1fr)] items-center gap-x-2 [&_.min-h-11]:items-center sm:grid-cols-[11em_1fr] sm:gap-x-5"
          >
            <legend className="sr-only">{day}</legend>
            <Tick name={`hours.${day}.isOpen`} label={day} />
            {watch(`hours.${day}.isOpen`) ? (
              <div className="grid grid-cols-[1fr_auto_1fr] items-center gap-2 [&_label]:mb-0 max-sm:[&_.input]:px-2 sm:grid-cols-[7.5rem_auto_7.5rem] sm:justify-start sm:gap-3">
                <TimeField name={`hours.${day}.opens`} label={<span className="sr-only">{day} opens</span>} />
                <span aria-hidden className="text-small text-ink-mute">
                  to
                </span>
                <TimeField name={`hours.${day}.closes`} label={<span className="sr-only">{day} closes</span>} />
              </div>
            ) : (
              <p className="text-small text-ink-mute">Closed</p>
            )}
          </fieldset>
        ))}
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
  const { watch } = useFormContext<Values>()
  const text = watch('notice.text')
  return (
    <Section id="notice" title="Notice">
      <TextArea name="notice.text" label="Notice at the top of every page" help="Leave it empty for no notice." />
      {text.trim() !== '' && (
        <>
          <DateField
            name="notice.until"
            label="Last day"
            optional
            help="The notice disappears after this day."
            clear="No last day"
          />
          <p className="rounded-row bg-sage-tint px-5 py-3 wrap-anywhere">{text}</p>
        </>
      )}
    </Section>
  )
}

export function Contact() {
  return (
    <Section id="contact" title="Address and contact">
      <TextField name="address.street" label="Street" />
      <div className={half}>
        <TextField name="address.town" label="Town" />
        <TextField name="address.postcode" label="Postcode" />
      </div>
      <TextField name="address.county" label="County" />
      <div className={half}>
        <TextField name="address.latitude" label="Latitude" inputMode="decimal" optional />
        <TextField name="address.longitude" label="Longitude" inputMode="decimal" optional />
      </div>
      <Hint>Where calendars and maps put the pin. If the address changes, clear them or look them up on a map.</Hint>
      <div className={half}>
        <TextField name="phone" label="Phone" type="tel" />
        <TextField
          name="email"
          label="Email"
          type="email"
          help="We show it on every page, and replies to our emails go to it."
        />
      </div>
      <TextField
        name="ownerEmail"
        label="Your own email"
        type="email"
        help="For notifications: refunds, disputes, newly saved health information. No one else sees it."
      />
    </Section>
  )
}

const FORMS = [
  ['', 'Not filled in'],
  ['sole_trader', 'A sole trader'],
  ['company', 'A limited company'],
  ['partnership', 'A partnership'],
] as const

const NAME_LABELS = {
  sole_trader: 'Your full name',
  company: 'Registered name',
  partnership: 'Names of the partners',
}

/** The law asks for these on the website, in emails and on receipts. */
export function WhoRunsThis() {
  const form = useFormContext<Values>().watch('legal.form')
  const isCompany = form === 'company'
  return (
    <Section id="legal" title="Who runs the studio">
      <Hint>The law asks a business to say this on its website, in its emails and on its receipts.</Hint>
      <SelectField name="legal.form" label="Run by" options={FORMS} />
      {form !== '' && (
        <>
          <TextField name="legal.name" label={NAME_LABELS[form]} />
          {isCompany ? (
            <>
              <div className={half}>
                <TextField name="legal.companyNumber" label="Company number" />
                <TextField name="legal.registeredIn" label="Registered in" help="Such as England and Wales." />
              </div>
              <TextField name="legal.registeredOffice" label="Registered office" />
            </>
          ) : (
            <TextField
              name="legal.serviceAddress"
              label="Address for legal letters"
              help="Where documents can be served on the business. It is public; it can be the studio’s address."
            />
          )}
          <div className={half}>
            <TextField name="legal.vatNumber" label="VAT number" optional />
            <TextField
              name="legal.icoNumber"
              label="ICO registration number"
              optional
              help="Shown in the privacy policy."
            />
          </div>
        </>
      )}
    </Section>
  )
}

export function FindingUs() {
  return (
    <Section id="visit" title="Finding the studio">
      <TextArea name="visit.door" label="The door" />
      <TextArea name="visit.parking" label="Parking" />
      <TextArea name="visit.transport" label="Train and bus" />
      <TextArea
        name="access"
        label="Access"
        rows={5}
        help="Steps, door widths, toilet, parking for a Blue Badge. Shown on the contact page under Access; say what is not possible too."
      />
    </Section>
  )
}

export function Prices() {
  return (
    <Section id="prices" title="Prices of a class">
      <Hint>On public pages, and for new classes without a price of their own. Existing classes keep theirs.</Hint>
      <div className={half}>
        <TextField
          name="prices.price"
          label="Without a pass"
          help="The website shows the price of your one-class package, if you sell one."
          inputMode="decimal"
        />
        <TextField name="prices.passPrice" label="With a pass" inputMode="decimal" />
      </div>
    </Section>
  )
}

export function Vat() {
  const { control } = useFormContext<Values>()
  const { fields, append, remove } = useFieldArray({ control, name: 'vatPeriods' })
  const last = useWatch({ control, name: 'vatPeriods' }).at(-1)
  const day = today(present())
  return (
    <Section id="vat" title="VAT">
      <Hint>
        {fields.length === 0
          ? 'The studio is not VAT-registered, and receipts say so.'
          : 'Each line applies from its first day until the next one starts. If you correct a line, past receipts, statements and the accountant’s file change too.'}
      </Hint>
      {fields.map(({ id }, place) => (
        <fieldset key={id} className="grid grid-cols-[minmax(0,1fr)] gap-5 border-b border-line pb-5">
          <legend className="sr-only">VAT, line {place + 1}</legend>
          <DateField name={`vatPeriods.${place}.from`} label="First day" />
          <div className={half}>
            <TextField
              name={`vatPeriods.${place}.number`}
              label="VAT number"
              optional
              help="Leave empty if you are not VAT-registered from this day; receipts will say so."
            />
            <TextField
              name={`vatPeriods.${place}.rate`}
              label="Rate (%)"
              inputMode="decimal"
              help="It is included in every price."
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
  return (
    <Section id="teacher" title="The teacher">
      <TextField name="instructor.name" label="Name" help="Used for new classes. Existing classes keep theirs." />
      <TextField name="instructor.role" label="Role" />
      <TextField name="instructor.background" label="Background" help="List only certified training." />
      <TextArea name="instructor.story" label="Story" rows={10} help="Leave an empty line between paragraphs." />
    </Section>
  )
}

export function Policies() {
  const [{ cancelling, refunds }, voucherTerms] = useFormContext<Values>().watch(['policies', 'voucherTerms'])
  return (
    <Section id="policies" title="Policies in short">
      <Hint>
        The first two are among the questions and answers on public pages; the third is in the terms and the refund
        policy. {PLACEHOLDERS.join(', ')} are replaced with the policy’s numbers.
      </Hint>
      <TextArea name="policies.cancelling" label="When a member cancels" rows={5} />
      <TextArea name="policies.refunds" label="Refunds" rows={4} />
      <TextArea
        name="voucherTerms"
        label="Gift vouchers"
        rows={6}
        help="By law, a buyer can cancel within 14 days and get the full price back, unless the voucher has been redeemed."
      />
      <Preview>
        <p>{fillPolicyNumbers(cancelling)}</p>
        <p className="mt-2">{fillPolicyNumbers(refunds)}</p>
        <p className="mt-2">{fillPolicyNumbers(voucherTerms)}</p>
      </Preview>
    </Section>
  )
}
