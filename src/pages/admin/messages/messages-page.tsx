import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import { useSearchParams } from 'react-router'
import type { z } from 'zod'
import { factsApi } from '#facts/web/api.ts'
import { addDays } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import { type Audience, isMarketingOnly, knowsClasses, MessageForm } from '#mailings/contract.ts'
import { joinWithAnd, type Kind, PLACEHOLDERS } from '#mailings/rules.ts'
import {
  ASK_FOR_REVIEW,
  askForReview,
  audienceOf,
  freePlaces,
  GREETING,
  REVIEW,
  RUNNING_LATE,
  type Starter,
  textOf,
  usePreview,
} from '#mailings/web/messages.ts'
import { useClasses } from '#timetable/web/classes.ts'
import { Button, LineLink } from '#ui/button.tsx'
import { Callout } from '#ui/callout.tsx'
import { SelectField } from '#ui/form-choices.tsx'
import { TextArea, TextField } from '#ui/form-fields.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { RowButton } from '#ui/rows.tsx'
import { present } from '#ui/use-now.ts'
import { PageHead } from '../page-head.tsx'
import { AudienceField } from './audience-field.tsx'
import { EmailPictures } from './email-pictures.tsx'
import { Recipients } from './recipients.tsx'
import { SendDialog } from './send-dialog.tsx'
import { SentMessages } from './sent-messages.tsx'

/** The audience is in the address, so that other screens can link here with it. */
export default function MessagesPage() {
  const [query, setQuery] = useSearchParams()
  const audience = audienceOf(query.get('to'))
  const studio = useQuery(factsApi.readOwnStudio.queryOptions())
  return (
    <>
      <PageHead title="Messages" />
      <QueryView query={studio} failed="The page could not be loaded.">
        {({ name, reviewUrl }) => (
          <Compose
            audience={audience}
            kind={query.get('kind') === 'marketing' ? 'marketing' : 'service'}
            review={reviewUrl === null ? undefined : askForReview({ name, reviewUrl })}
            startsWithReview={query.get('start') === REVIEW}
            onAudience={(next) =>
              setQuery(
                { view: 'messages', ...(next && { to: textOf(next) }) },
                { replace: true, preventScrollReset: true },
              )
            }
          />
        )}
      </QueryView>
      <SentMessages />
    </>
  )
}

type Values = z.input<typeof MessageForm>
const EMPTY: Omit<Values, 'audience'> = { kind: 'service', subject: '', text: GREETING, pictures: [] }
const KINDS = [
  ['service', 'About their bookings or purchases'],
  ['marketing', 'News and offers: only to people who agreed'],
] as const

type ComposeProps = {
  audience: Audience | undefined
  kind: Kind
  /** Undefined until the settings have a review link. */
  review: Starter | undefined
  startsWithReview: boolean
  onAudience: (next: Audience | undefined) => void
}

function Compose({ audience, kind: preselected, review, startsWithReview, onAudience }: ComposeProps) {
  const isFixed = audience !== undefined && isMarketingOnly(audience)
  const [started, setStarted] = useState(startsWithReview ? review : undefined)
  const form = useForm<Values, unknown, MessageForm>({
    resolver: zodResolver(MessageForm),
    defaultValues: { ...EMPTY, kind: preselected, ...messageOf(started) },
  })
  const [ready, setReady] = useState<MessageForm>()
  const chosen = form.watch('kind')
  const kind = isFixed ? 'marketing' : chosen
  // No class has the id 0: it is still to be chosen.
  const to = typeof audience === 'object' && 'classId' in audience && audience.classId === 0 ? undefined : audience
  const preview = usePreview(to && { audience: to, kind })
  const words = knowsClasses(audience ?? 'members') ? PLACEHOLDERS : PLACEHOLDERS.slice(0, 1)
  const start = (starter: Starter) => {
    setStarted(starter)
    form.reset({ ...form.getValues(), ...messageOf(starter) })
  }
  const choose = (next: Audience | undefined) => {
    form.resetField('audience')
    onAudience(next)
  }
  // The audience is in the address, and some audiences allow one kind only.
  const submit = (event: FormEvent) => {
    if (to) form.setValue('audience', to)
    form.setValue('kind', kind)
    return form.handleSubmit(setReady)(event)
  }
  return (
    <div className="mt-8 grid gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <FormProvider {...form}>
        <form
          noValidate
          aria-label="Write a message"
          onSubmit={submit}
          className="grid grid-cols-[minmax(0,1fr)] content-start gap-5"
        >
          <AudienceField audience={audience} onChange={choose} />
          {isFixed ? (
            <p className="text-small text-ink-mute">
              {audience === 'newsletter'
                ? 'Goes to everyone who has confirmed their subscription, with a link to unsubscribe.'
                : 'News and offers: goes only to people who agreed, with a link to unsubscribe.'}
            </p>
          ) : (
            <SelectField name="kind" label="Kind" options={KINDS} />
          )}
          <Starters
            audience={audience}
            review={review}
            onStart={start}
            isTyped={Boolean(form.formState.dirtyFields.text)}
          />
          {started?.name === ASK_FOR_REVIEW && (
            <Callout className="p-4 text-small">
              By law a request for a review is marketing: it goes only to members who agreed to news. Ask happy and
              unhappy members alike, in the same words, and offer nothing in return.
            </Callout>
          )}
          <TextField name="subject" label="Subject" maxLength={200} />
          <TextArea
            name="text"
            label="Message"
            rows={9}
            maxLength={5000}
            help={`Plain text. ${joinWithAnd(words.map((word) => `{${word}}`))} ${words.length > 1 ? 'are' : 'is'} filled in for each recipient.`}
          />
          <EmailPictures />
          <div>
            <Button type="submit">Preview</Button>
          </div>
        </form>
      </FormProvider>
      <Recipients query={preview} isChosen={to !== undefined} />
      {ready && (
        <SendDialog
          body={ready}
          onClose={() => setReady(undefined)}
          onSent={() => {
            setReady(undefined)
            setStarted(undefined)
            form.reset(EMPTY)
          }}
        />
      )}
    </div>
  )
}

const messageOf = (starter: Starter | undefined) => {
  if (!starter) return undefined
  const { name: _, ...message } = starter
  return message
}

type StartersProps = Pick<ComposeProps, 'audience' | 'review'> & {
  onStart: (starter: Starter) => void
  isTyped: boolean
}

/** Common messages to start from; hidden once text was typed, which they would replace. */
function Starters({ audience, review, onStart, isTyped }: StartersProps) {
  const tomorrow = addDays(today(present()), 1)
  const classes = useClasses(tomorrow, tomorrow)
  if (isTyped) return null
  const isBooked = audience !== undefined && knowsClasses(audience)
  const free = (classes.data ?? []).filter(({ availableSpots }) => availableSpots > 0)
  return (
    <fieldset className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <legend className="mb-2 text-small/snug font-medium">Start with</legend>
      {(!audience || isBooked) && <RowButton label={RUNNING_LATE.name} onClick={() => onStart(RUNNING_LATE)} />}
      {!isBooked && (
        <RowButton
          label="Free place tomorrow"
          disabled={free.length === 0}
          aria-describedby={free.length === 0 ? 'none-free' : undefined}
          onClick={() => onStart(freePlaces(tomorrow, free, window.location.origin))}
        />
      )}
      {!isBooked && classes.isSuccess && free.length === 0 && (
        <span id="none-free" className="text-caption text-ink-mute">
          Nothing is free tomorrow
        </span>
      )}
      {review ? (
        <RowButton label={ASK_FOR_REVIEW} onClick={() => onStart(review)} />
      ) : (
        <LineLink to="/admin?view=settings#name" className="text-small">
          Add a review link to ask for reviews
        </LineLink>
      )}
    </fieldset>
  )
}
