import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { FormProvider, useForm, useFormContext } from 'react-hook-form'
import { Link, useLocation, useNavigate } from 'react-router'
import type { OwnStudio, StudioEdit } from '#facts/contract.ts'
import { factsApi, showFacts } from '#facts/web/api.ts'
import { keysOf, pick } from '#foundation/collections.ts'
import { History } from '#insights/web/history.tsx'
import { Button, TextLink } from '#ui/button.tsx'
import { SelectFilter } from '#ui/pager.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { Refused } from '../dialog-form.tsx'
import { PageHead } from '../page-head.tsx'
import { OwnCalendar } from './own-calendar.tsx'
import { Pictures } from './pictures.tsx'
import { Contact, FindingUs, Hours, Notice, Policies, Prices, Studio, Teacher, Vat, WhoRunsThis } from './sections.tsx'
import { changesIn, type Fact, factsOf, resolverOf, type Values, valuesOf } from './settings-values.ts'
import { Teachers } from './teachers.tsx'
import { Texts } from './texts.tsx'

/** What is shown and saved together. The address names one, a part of it or one of its facts: `#notice`, `#phone`. */
type Group = {
  title: string
  parts: readonly [string, ...string[]]
  facts: readonly Fact[]
  fields: (saved: OwnStudio) => ReactNode
}

const HOURS: Group = {
  title: 'Hours and notice',
  parts: ['hours', 'notice'],
  facts: ['hours', 'notice'],
  fields: () => (
    <>
      <ShownHours />
      <Notice />
    </>
  ),
}

const GROUPS: readonly Group[] = [
  HOURS,
  {
    title: 'Studio and teachers',
    parts: ['name', 'teacher', 'teachers'],
    facts: ['name', 'social', 'reviewUrl', 'instructor', 'teachers'],
    fields: () => (
      <>
        <Studio />
        <Teacher />
        <Teachers />
      </>
    ),
  },
  {
    title: 'Address and contact',
    parts: ['contact'],
    facts: ['address', 'phone', 'email', 'ownerEmail'],
    fields: () => <Contact />,
  },
  { title: 'Finding the studio', parts: ['visit'], facts: ['visit', 'access'], fields: () => <FindingUs /> },
  {
    title: 'Business and prices',
    parts: ['legal', 'prices', 'vat'],
    facts: ['legal', 'prices', 'vatPeriods'],
    fields: () => (
      <>
        <WhoRunsThis />
        <Prices />
        <Vat />
      </>
    ),
  },
  {
    title: 'Policies in short',
    parts: ['policies'],
    facts: ['policies', 'voucherTerms'],
    fields: () => <Policies />,
  },
  { title: 'Text messages', parts: ['texts'], facts: ['texts'], fields: () => <Texts /> },
  {
    title: 'Pictures',
    parts: ['pictures'],
    facts: ['pictures'],
    fields: ({ pictures }) => <Pictures saved={pictures} />,
  },
  {
    title: 'Gallery',
    parts: ['gallery'],
    facts: ['pictures'],
    fields: ({ pictures }) => <Pictures saved={pictures} gallery />,
  },
]
const CALENDAR = 'own-calendar'
const firstPart = ({ parts: [first] }: Group) => first
const IN_PLACE = { replace: true, preventScrollReset: true, state: { fromIndex: true } }
const placeOf = (id = '') => ({ hash: `#${id}`, search: '?view=settings' })

const namedIn = (hash: string) =>
  GROUPS.find(({ parts, facts }) => [...parts, ...facts].includes(hash.slice(1).split('.')[0] ?? '')) ?? HOURS

export default function SettingsPage() {
  const studio = useQuery({ ...factsApi.readOwnStudio.queryOptions(), staleTime: 0 })
  const { hash } = useLocation()
  const isCalendar = hash === `#${CALENDAR}`
  return (
    <div>
      <PageHead title="Studio settings" />
      <div className="mt-4 grid gap-5 sm:mt-8 lg:grid-cols-[220px_minmax(0,900px)] lg:gap-12">
        <Index current={isCalendar ? CALENDAR : firstPart(namedIn(hash))} />
        <div className="min-w-0">
          {isCalendar && <OwnCalendar />}
          <QueryView query={studio} failed="The settings could not be loaded.">
            {(read) => (
              // It stays while another group is shown, so that nothing typed is lost.
              <div hidden={isCalendar}>
                <SettingsForm read={read} onLoad={async () => (await studio.refetch()).data} />
              </div>
            )}
          </QueryView>
          <div hidden={studio.isPending}>
            <History subject="studio:facts" />
            <p className="mt-5 text-small text-ink-soft">
              Elsewhere: prices of passes in <TextLink to="/admin?tab=Packages">Packages</TextLink>, closed days in{' '}
              <TextLink to="/admin?tab=Classes">Classes</TextLink>, sign-ins in the{' '}
              <TextLink to="/admin?view=security">security record</TextLink>, and{' '}
              <TextLink to="/admin?view=what-we-keep">What we keep and why</TextLink>.
            </p>
          </div>
        </div>
      </div>
    </div>
  )
}

const SECTIONS = [
  ...GROUPS.map((group) => [firstPart(group), group.title] as const),
  [CALENDAR, 'Your own calendar'],
] as const

/** Links beside the form, or a list to choose from above it. */
function Index({ current }: { current: string }) {
  const navigate = useNavigate()
  return (
    <>
      <div className="lg:hidden">
        <SelectFilter
          label="Section"
          value={current}
          options={SECTIONS}
          onChange={(id) => navigate(placeOf(id), IN_PLACE)}
        />
      </div>
      <nav aria-label="Settings" className="sticky top-24 self-start max-lg:hidden">
        <ul>
          {SECTIONS.map(([id, title]) => (
            <li key={id}>
              <Link
                to={placeOf(id)}
                {...IN_PLACE}
                aria-current={id === current ? 'true' : undefined}
                className="flex min-h-11 items-center rounded-row px-3 text-small text-ink-soft hover:text-ink aria-[current]:bg-linen aria-[current]:font-medium aria-[current]:text-ink"
              >
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </>
  )
}

function ShownHours() {
  return <Hours hours={factsOf(useFormContext<Values>().watch()).hours} />
}

/** Focuses the field, or the first one of the section, that the address names; a touched section opens no keyboard. */
function focusOn(form: HTMLFormElement | null, name: string): void {
  if (!form || !/^[\w.]+$/.test(name)) return
  const named = form.querySelector<HTMLElement>(`[id="${name}"], [name="${name}"]`)
  const isSection = named?.matches('section')
  const holdsField = isSection && matchMedia('(pointer: fine)').matches
  const field = holdsField ? named?.querySelector<HTMLElement>('input, select, textarea') : named
  field?.focus({ preventScroll: true })
  named?.scrollIntoView({ block: isSection ? 'start' : 'center' })
}

const put = (body: StudioEdit) => factsApi.editStudio.call({ body })

/**
 * The settings of one group; only its changed facts are checked and sent.
 *
 * @param onLoad refetches what someone else has changed
 */
function SettingsForm({ read, onLoad }: { read: OwnStudio; onLoad: () => Promise<OwnStudio | undefined> }) {
  const [base, setBase] = useState(read)
  const { hash, state } = useLocation()
  const group = namedIn(hash)
  const form = useForm<Values>({ defaultValues: valuesOf(read), resolver: resolverOf(group.facts) })
  const queries = useQueryClient()
  const changedIn = (values: Values) => keysOf(changesIn(values, base)) as Fact[]
  const isChanged = changedIn(form.watch()).some((fact) => group.facts.includes(fact))
  /** Shows what is saved. What is typed in other groups stays; `all`: what is typed in this one too. */
  const renew = (saved: OwnStudio, all = false) => {
    const values = form.getValues()
    const kept = changedIn(values).filter((fact) => all || !group.facts.includes(fact))
    setBase(saved)
    form.reset({ ...valuesOf(saved), ...pick(values, kept) })
  }
  const take = (saved: OwnStudio) => {
    renew(saved)
    showFacts(queries, saved)
  }
  const toasts = { success: 'Saved. Every page will show it within a minute', failure: 'Failed to save the settings' }
  const save = useAdminMutation({
    mutationFn: (values: Values) => put({ ...pick(changesIn(values, base), group.facts), ifVersion: base.version }),
    toasts,
    onSuccess: take,
  })
  const undo = useAdminMutation({
    mutationFn: async () => {
      const previous = await factsApi.readStudioBefore.call({ params: { id: base.version } })
      const { version: _, changedAt: __, ...before } = previous
      return await put({ ...before, ifVersion: base.version })
    },
    toasts: { ...toasts, success: 'The last change has been undone' },
    onSuccess: take,
  })
  const load = async () => {
    const fresh = await onLoad()
    if (!fresh) return
    renew(fresh, true)
    save.reset()
    undo.reset()
  }
  const element = useRef<HTMLFormElement>(null)
  const isFromIndex = Boolean(state?.fromIndex)
  useEffect(() => {
    if (!isFromIndex) focusOn(element.current, hash.slice(1))
  }, [hash, isFromIndex])
  return (
    <FormProvider {...form}>
      <form
        noValidate
        aria-label="Studio settings"
        ref={element}
        onSubmit={form.handleSubmit((values) => save.mutate(values))}
        className="grid grid-cols-[minmax(0,1fr)] gap-6"
      >
        {group.fields(base)}
        <div
          className={
            isChanged ? 'above-bar z-10 -mx-2 border-t border-line bg-paper px-2 py-3 sm:py-4' : 'py-3 sm:py-4'
          }
        >
          <Refused
            refusal={save.refusal ?? undo.refusal}
            onLoad={save.isConflict || undo.isConflict ? load : undefined}
          />
          <div className="flex flex-wrap items-center gap-3 [&>*]:max-sm:flex-1">
            <Button type="submit" busy={save.isPending} disabled={!isChanged || undo.isPending}>
              Save
            </Button>
            {isChanged ? (
              <Button variant="quiet" disabled={save.isPending} onClick={() => renew(base)}>
                Discard
              </Button>
            ) : (
              <>
                {base.version > 0 && (
                  <Button variant="secondary" runs={undo}>
                    Undo last change
                  </Button>
                )}
                <p className="text-small text-ink-mute">No changes yet</p>
              </>
            )}
          </div>
        </div>
      </form>
    </FormProvider>
  )
}
