import { zodResolver } from '@hookform/resolvers/zod'
import { type FormEvent, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { type Audience, isMarketingOnly, knowsClasses, MessageForm } from '#mailings/contract.ts'
import { type Kind, listed, WORDS } from '#mailings/rules.ts'
import { GREETING, type Starter, usePreview } from '#mailings/web/messages.ts'
import { Button } from '#ui/button.tsx'
import { SelectField } from '#ui/choices.tsx'
import { TextArea, TextField } from '#ui/field.tsx'
import { AudienceField } from './audience-field.tsx'
import { Readers } from './readers.tsx'
import { SendDialog } from './send-dialog.tsx'
import { Starters } from './starters.tsx'

type Values = z.input<typeof MessageForm>
const EMPTY: Omit<Values, 'audience'> = { kind: 'service', subject: '', text: GREETING }
const KINDS = [
  ['service', 'About what they have booked or bought'],
  ['marketing', 'News and offers: only to those who agreed'],
] as const

/** A message on its way to being sent: whom it is for, what it says, and beside it who gets it. */
export function Compose({
  audience,
  kind: wished,
  onAudience,
}: {
  audience: Audience | undefined
  /** What it begins with. */
  kind: Kind
  onAudience: (next: Audience | undefined) => void
}) {
  const isFixed = audience !== undefined && isMarketingOnly(audience)
  const form = useForm<Values, unknown, MessageForm>({
    resolver: zodResolver(MessageForm),
    defaultValues: { ...EMPTY, kind: wished },
  })
  const [ready, setReady] = useState<MessageForm>()
  const chosen = form.watch('kind')
  const kind = isFixed ? 'marketing' : chosen
  const readers = usePreview(audience && { audience, kind })
  const { errors } = form.formState
  const start = ({ name: _, ...words }: Starter) => form.reset(words)
  const choose = (next: Audience | undefined) => {
    form.resetField('audience')
    onAudience(next)
  }
  // Whom it is for stands in the address, and some of them read one kind alone.
  const submit = (event: FormEvent) => {
    if (audience) form.setValue('audience', audience)
    form.setValue('kind', kind)
    return form.handleSubmit(setReady)(event)
  }
  return (
    <div className="mt-8 grid gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <form
        noValidate
        aria-label="Write a message"
        onSubmit={submit}
        className="grid grid-cols-[minmax(0,1fr)] content-start gap-5"
      >
        <AudienceField audience={audience} onChange={choose} error={errors.audience?.message} />
        {isFixed ? (
          <p className="text-[0.9375rem] text-ink-mute">
            {audience === 'newsletter'
              ? 'Goes to everybody who has confirmed the newsletter, with a link to unsubscribe.'
              : 'News and offers: goes only to those who agreed, with a link to unsubscribe.'}
          </p>
        ) : (
          <SelectField label="Kind" options={KINDS} {...form.register('kind')} />
        )}
        <Starters audience={audience} onStart={start} isTyped={Boolean(form.formState.dirtyFields.text)} />
        <TextField label="Subject" maxLength={200} error={errors.subject?.message} {...form.register('subject')} />
        <TextArea
          label="Message"
          rows={9}
          maxLength={5000}
          help={`Plain text. ${listed((knowsClasses(audience ?? 'members') ? WORDS : WORDS.slice(0, 1)).map((word) => `{${word}}`))} ${knowsClasses(audience ?? 'members') ? 'are' : 'is'} filled in for each of them.`}
          error={errors.text?.message}
          {...form.register('text')}
        />
        <div>
          <Button type="submit">Preview</Button>
        </div>
      </form>
      <Readers query={readers} isChosen={audience !== undefined} />
      {ready && (
        <SendDialog
          body={ready}
          onClose={() => setReady(undefined)}
          onSent={() => {
            setReady(undefined)
            form.reset(EMPTY)
          }}
        />
      )}
    </div>
  )
}
