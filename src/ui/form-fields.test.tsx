import { cloneElement, type ReactElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { FormProvider, useForm } from 'react-hook-form'
import { expect, test } from 'vitest'
import * as choices from './choices.tsx'
import * as plain from './field.tsx'
import { SelectField, Tick, TimeField } from './form-choices.tsx'
import { DateField } from './form-date-field.tsx'
import { NumberField, TextArea, TextField } from './form-fields.tsx'
import * as time from './time-field.tsx'

function Form({ error, children }: { error?: string; children: ReactNode }) {
  const form = useForm<Record<'a' | 'day', string>>({
    defaultValues: { day: '2026-12-07' },
    errors: error ? { a: { type: 'server', message: error } } : undefined,
  })
  return <FormProvider {...form}>{children}</FormProvider>
}

const OPTIONS = [[1, 'One']] as const
const common = { label: 'Label', help: 'Help' }

test.each<[string, ReactElement, ReactElement<{ error?: string }>]>([
  ['text', <TextField key={1} name="a" {...common} />, <plain.TextField key={2} name="a" {...common} />],
  ['long text', <TextArea key={1} name="a" {...common} />, <plain.TextArea key={2} name="a" {...common} />],
  ['a time', <TimeField key={1} name="a" {...common} />, <time.TimeField key={2} name="a" {...common} />],
  ['a tick', <Tick key={1} name="a" {...common} />, <choices.Tick key={2} name="a" {...common} />],
  [
    'a choice',
    <SelectField key={1} name="a" options={OPTIONS} {...common} />,
    <choices.SelectField key={2} name="a" options={OPTIONS} {...common} />,
  ],
  [
    'a number',
    <NumberField key={1} name="a" min={1} {...common} />,
    <plain.TextField key={2} name="a" type="number" inputMode="numeric" min={1} {...common} />,
  ],
])('the field for %s renders the markup of its plain field, with the form’s error', (_, inForm, alone) => {
  expect(renderToStaticMarkup(<Form>{inForm}</Form>)).toBe(renderToStaticMarkup(<Form>{alone}</Form>))
  const wrong = cloneElement(alone, { error: 'Please enter it' })
  expect(renderToStaticMarkup(<Form error="Please enter it">{inForm}</Form>)).toBe(
    renderToStaticMarkup(<Form>{wrong}</Form>),
  )
})

test('a date field shows the form’s date', () => {
  const field = <DateField name="day" label="First day" />
  expect(renderToStaticMarkup(<Form>{field}</Form>)).toContain('Monday 7 December 2026')
})
