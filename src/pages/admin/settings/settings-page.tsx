import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import { Link, useLocation } from 'react-router'
import type { OwnStudio, StudioEdit } from '#facts/contract.ts'
import { factsApi } from '#facts/web/api.ts'
import { History } from '#insights/web/history.tsx'
import { Button } from '#ui/button.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { Refused } from '../dialog-form.tsx'
import { PageHead } from '../page-head.tsx'
import { OwnCalendar } from './own-calendar.tsx'
import { Pictures } from './pictures.tsx'
import { Contact, FindingUs, Hours, Notice, Policies, Prices, Studio, Teacher, Vat, WhoRunsThis } from './sections.tsx'
import { changesIn, factsOf, resolver, type Values, valuesOf } from './settings-values.ts'
import { Texts } from './texts.tsx'

export default function SettingsPage() {
  const studio = useQuery({ ...factsApi.readOwnStudio.queryOptions(), staleTime: 0 })
  return (
    <div className="max-w-[900px]">
      <PageHead title="Studio settings" />
      <p className="mt-3 max-w-[38em] text-ink-soft">
        Changes reach every page and email within a minute. Pass prices are in Packages, closed days in Classes, and
        sign-ins and access to data in the{' '}
        <Link to="/admin?view=security" className="link">
          security record
        </Link>
        . What the site keeps about people is under{' '}
        <Link to="/admin?view=what-we-keep" className="link">
          What we keep and why
        </Link>
        .
      </p>
      <QueryView query={studio} failed="The settings could not be loaded.">
        {(read) => <SettingsForm read={read} onLoad={async () => (await studio.refetch()).data} />}
      </QueryView>
      <div hidden={studio.isPending}>
        <div className="mt-10">
          <OwnCalendar />
        </div>
        <History subject="studio:facts" />
      </div>
    </div>
  )
}

/** Focuses the field of a name, or the first field of a section, that the address names: `#hours`. */
function focusOn(form: HTMLFormElement | null, name: string): void {
  if (!form || !/^[\w.]+$/.test(name)) return
  const named = form.querySelector<HTMLElement>(`[id="${name}"], [name="${name}"]`)
  const field = named?.matches('section') ? named.querySelector<HTMLElement>('input, select, textarea') : named
  field?.focus({ preventScroll: true })
  named?.scrollIntoView({ block: 'start' })
}

const put = (body: StudioEdit) => factsApi.editStudio.call({ body })

/**
 * All settings in one form; only changed facts are sent.
 *
 * @param onLoad refetches what someone else has changed
 */
function SettingsForm({ read, onLoad }: { read: OwnStudio; onLoad: () => Promise<OwnStudio | undefined> }) {
  const [base, setBase] = useState(read)
  const form = useForm<Values>({ defaultValues: valuesOf(read), resolver })
  const queries = useQueryClient()
  const take = (saved: OwnStudio) => {
    setBase(saved)
    queries.setQueryData(factsApi.readOwnStudio.key, saved)
    form.reset(valuesOf(saved))
  }
  const toasts = { success: 'Saved. Every page will show it within a minute', failure: 'Failed to save the settings' }
  const stale = [factsApi.readStudio]
  const save = useAdminMutation({
    mutationFn: (values: Values) => put({ ...changesIn(values, base), ifVersion: base.version }),
    toasts,
    stale,
    onSuccess: take,
  })
  const undo = useAdminMutation({
    mutationFn: async () => {
      const previous = await factsApi.readStudioBefore.call({ params: { id: base.version } })
      const { version: _, changedAt: __, ...before } = previous
      return await put({ ...before, ifVersion: base.version })
    },
    toasts: { ...toasts, success: 'The last change has been undone' },
    stale,
    onSuccess: take,
  })
  const load = async () => {
    const fresh = await onLoad()
    if (!fresh) return
    setBase(fresh)
    form.reset(valuesOf(fresh), { keepDirtyValues: true })
    save.reset()
    undo.reset()
  }
  const element = useRef<HTMLFormElement>(null)
  const { hash } = useLocation()
  useEffect(() => focusOn(element.current, hash.slice(1)), [hash])
  const isChanged = Object.keys(changesIn(form.watch(), base)).length > 0
  return (
    <FormProvider {...form}>
      <form
        noValidate
        aria-label="Studio settings"
        ref={element}
        onSubmit={form.handleSubmit((values) => save.mutate(values))}
        className="mt-8 grid grid-cols-[minmax(0,1fr)] gap-6"
      >
        <Studio />
        <Teacher />
        <Contact />
        <FindingUs />
        <WhoRunsThis />
        <Hours hours={factsOf(form.watch()).hours} />
        <Notice />
        <Texts />
        <Prices />
        <Vat />
        <Pictures saved={base.pictures} />
        <Policies />
        <div className="sticky bottom-0 z-10 -mx-2 border-t border-line bg-paper px-2 py-4">
          <Refused
            refusal={save.refusal ?? undo.refusal}
            onLoad={save.isConflict || undo.isConflict ? load : undefined}
          />
          <div className="flex flex-wrap items-center gap-3 [&>*]:max-sm:flex-1">
            <Button type="submit" busy={save.isPending} disabled={!isChanged || undo.isPending}>
              Save
            </Button>
            {isChanged ? (
              <Button variant="quiet" disabled={save.isPending} onClick={() => form.reset(valuesOf(base))}>
                Discard
              </Button>
            ) : (
              base.version > 0 && (
                <Button variant="secondary" busy={undo.isPending} onClick={() => undo.mutate()}>
                  Undo last change
                </Button>
              )
            )}
          </div>
        </div>
      </form>
    </FormProvider>
  )
}
