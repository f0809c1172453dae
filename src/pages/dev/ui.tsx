import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { privateMeta } from '#content/seo.ts'
import type { MetaArguments } from '#content/site.ts'
import { Unreachable } from '#foundation/call.ts'
import { Badge } from '#ui/badge.tsx'
import { Breadcrumb } from '#ui/breadcrumb.tsx'
import { ArrowLink, Button, ButtonLink } from '#ui/button.tsx'
import { RadioCards, Tick } from '#ui/choices.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { TextArea, TextField } from '#ui/field.tsx'
import { Mark } from '#ui/mark.tsx'
import { EmptyState, QueryView } from '#ui/query-view.tsx'
import { Rows } from '#ui/rows.tsx'
import { PageSpinner, Skeleton, Spinner } from '#ui/spinner.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { toast } from '#ui/toast.ts'

export const meta = (args: MetaArguments) =>
  privateMeta(args, 'Design system', 'The components of the site, each in all its states, for those who build it.')

/** The server decides whether this page exists: in live mode it does not, so the app's router must not show it. */
export async function clientLoader() {
  if (import.meta.env.DEV) return null
  const { ok } = await fetch('/dev/ui', { method: 'HEAD' })
  if (!ok) throw new Response('', { status: 404 })
  return null
}

export function HydrateFallback() {
  return <PageSpinner />
}

const LOOKS = ['primary', 'secondary', 'quiet', 'danger', 'light'] as const
const TONES = ['ok', 'warn', 'err', 'info', 'clay', 'sand', 'paper'] as const
const LONG = 'Wilhelmina-Josephine-Antoinette Oldroyd-Featherstonehaugh-Cholmondeley'

/** Every piece of src/ui in every state, so that a change can be looked at in one place. Outside live mode only. */
export default function DesignSystem() {
  return (
    <div className="wrap max-w-[1120px] pt-6 pb-section lg:pt-10">
      <Breadcrumb items={[{ label: 'Pricing', to: '/pricing' }, { label: 'Design system' }]} />
      <h1 className="mt-5 font-serif text-[2.5rem]/[1.05] tracking-[-0.01em] sm:text-5xl">Design system</h1>
      <p className="lede mt-3 max-w-[60ch]">Every piece in every state. It is shown in demo mode and in tests only.</p>
      <Part title="Type">
        <p className="display-1">
          Display, <em>one phrase</em>
        </p>
        <p className="display-page">Inner page</p>
        <p className="display-2">Second heading</p>
        <p className="display-3">Third heading</p>
        <p className="title">Title of a card</p>
        <p className="figure text-[2.75rem]">£424 07:30</p>
        <p className="lede max-w-[40ch]">A lede says in two lines what the page is for, and leaves the rest to it.</p>
        <p className="max-w-[66ch]">Body text in Figtree, at most sixty-six letters wide, with a {link}.</p>
        <p className="text-caption text-ink-mute">A caption.</p>
      </Part>
      <Part title="Buttons">
        <Buttons />
      </Part>
      <Part title="Badges">
        <div className="flex flex-wrap gap-3">
          {TONES.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
        </div>
      </Part>
      <Part title="Fields">
        <Fields />
      </Part>
      <Part title="Tabs">
        <Segments />
      </Part>
      <Part title="Cards">
        <div className="grid gap-5 sm:grid-cols-2">
          <section className="card p-6">
            <h3 className="title">A resting card</h3>
            <p className="mt-2 text-ink-soft">White on paper, with a soft brown shadow.</p>
          </section>
          <section className="rounded-card bg-linen p-6">
            <h3 className="title wrap-break-word">{LONG}</h3>
            <p className="mt-2 text-ink-soft">A quiet card on linen, with a name that is too long.</p>
          </section>
        </div>
      </Part>
      <Part title="Table, cards on a phone">
        <Rows
          label="Passes"
          rows={[
            { id: 1, name: 'Alice Thackray', email: 'alice@studio.example', credits: 7 },
            { id: 2, name: LONG, email: `${LONG.toLowerCase().replace(' ', '.')}@studio.example`, credits: 12 },
          ]}
          keyOf={(row) => row.id}
          columns={[
            { head: 'Member', cell: (row) => row.name },
            { head: 'Email', cell: (row) => row.email },
            { head: 'Credits', cell: (row) => row.credits, numeric: true },
            { head: 'Status', cell: () => <Badge tone="ok">Active</Badge> },
          ]}
        />
      </Part>
      <Part title="Dialogs">
        <Dialogs />
      </Part>
      <Part title="Toasts">
        <Toasts />
      </Part>
      <Part title="Waiting">
        <Spinner label="Loading classes..." visible />
        <div aria-hidden className="grid grid-cols-2 gap-4 lg:grid-cols-4">
          <Skeleton className="h-28" />
          <Skeleton className="h-28" />
        </div>
      </Part>
      <Part title="Nothing here, not reached, empty">
        <EmptyState title="No upcoming classes booked">
          <ButtonLink to="/booking">Book Your First Class</ButtonLink>
        </EmptyState>
        <Reads />
      </Part>
      <Part title="Mark">
        <div className="flex items-end gap-6">
          <Mark />
          <Mark size={56} className="text-sage" />
        </div>
      </Part>
      <Part title="Error boundary">
        <Fragile />
      </Part>
    </div>
  )
}

const link = (
  <a className="link" href="#content">
    link to the content
  </a>
)

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="mt-14 border-t border-line pt-6">
      <h2 className="title mb-6">{title}</h2>
      <div className="grid gap-5">{children}</div>
    </section>
  )
}

function Buttons() {
  const [busy, setBusy] = useState(false)
  return (
    <>
      {LOOKS.map((variant) => (
        <div
          key={variant}
          className={`flex flex-wrap items-center gap-3 ${variant === 'light' ? 'rounded-row bg-sage-dark p-4' : ''}`}
        >
          <Button variant={variant}>{variant}</Button>
          <Button variant={variant} small>
            {variant}, small
          </Button>
          <Button variant={variant} busy>
            {variant}, loading
          </Button>
        </div>
      ))}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <Button disabled aria-describedby="why-disabled">
          Confirm Booking
        </Button>
        <p id="why-disabled" className="text-small text-ink-mute">
          Tick both boxes to confirm.
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-6">
        <Button variant="secondary" busy={busy} onClick={() => setBusy(true)}>
          Begins to load when clicked
        </Button>
        <ButtonLink to="/pricing" variant="secondary">
          A link like a button
        </ButtonLink>
        <ArrowLink to="/pricing">A link with an arrow</ArrowLink>
      </div>
    </>
  )
}

function Segments() {
  const [tab, setTab] = useState<'one' | 'two' | 'three'>('one')
  return (
    <div className="max-w-[420px]">
      <Tabs
        label="An example"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'one', label: 'Login', panel: <p>The first panel.</p> },
          { value: 'two', label: 'Sign Up', panel: <p>The second panel.</p> },
          { value: 'three', label: 'Third', panel: <p>The third panel.</p> },
        ]}
      />
    </div>
  )
}

function Fragile() {
  const [broken, setBroken] = useState(false)
  if (broken) throw new Error('Broken on purpose, to see the error page.')
  return (
    <div>
      <Button variant="danger" onClick={() => setBroken(true)}>
        Break this page
      </Button>
    </div>
  )
}

const LEVELS = [
  ['beginner', 'Beginner'],
  ['intermediate', 'Intermediate'],
  ['advanced', 'Advanced'],
] as const

/** Every field: at rest, filled, with help, wrong, disabled. */
function Fields() {
  return (
    <form noValidate className="grid gap-7 md:grid-cols-2" onSubmit={(event) => event.preventDefault()}>
      <TextField label="First name" name="empty" />
      <TextField label="Last name" name="filled" defaultValue="Hartley" />
      <TextField label="Username" name="helped" help="You can also use your email address." />
      <TextField label="Email address" name="optional" optional />
      <TextField label="Email" name="wrong" defaultValue="imogen at home" error="Invalid email address" />
      <TextField label="Phone number" name="disabled" defaultValue="01632 960199" disabled />
      <TextArea label="Allergies" name="area" help="Leave it empty if you know of none." />
      <TextArea label="Chronic conditions" name="wrong-area" error="Please use at most 2,000 characters" />
      <Tick label="I agree to the terms and conditions" name="tick" />
      <Tick label="I confirm that my answers are true" name="ticked" defaultChecked />
      <Tick label="I consent" name="wrong-tick" error="You must consent to data processing" />
      <Tick label="News from the studio" name="disabled-tick" disabled />
      <div className="md:col-span-2">
        <RadioCards label="Fitness level" name="level" options={LEVELS} defaultValue="beginner" />
      </div>
      <div className="md:col-span-2">
        <RadioCards label="Pilates experience" name="wrong-level" options={LEVELS} error="Please choose one" />
      </div>
    </form>
  )
}

/** What `QueryView` shows in place of data: the way to try again, and the sentence for an empty list. */
function Reads() {
  const failed = useQuery<string[]>({
    queryKey: ['dev', 'failed'],
    queryFn: () => Promise.reject(new Unreachable('shown on purpose')),
  })
  const empty = useQuery<string[]>({ queryKey: ['dev', 'empty'], queryFn: () => [] })
  const nothing = 'The list could not be loaded.'
  return (
    <>
      <QueryView query={failed} failed={nothing}>
        {() => null}
      </QueryView>
      <QueryView query={empty} failed={nothing} empty="No health updates yet">
        {() => null}
      </QueryView>
    </>
  )
}

const FACTS = Array.from({ length: 40 }, (_, i) => `Line ${i + 1} of a dialog that is taller than the screen.`)

/** A short dialog and a scrolling one. */
function Dialogs() {
  const [open, setOpen] = useState<'short' | 'tall'>()
  const close = () => setOpen(undefined)
  return (
    <div className="flex flex-wrap gap-3">
      <Button variant="secondary" onClick={() => setOpen('short')}>
        Open a dialog
      </Button>
      <Button variant="secondary" onClick={() => setOpen('tall')}>
        Open a tall dialog
      </Button>
      <Dialog
        open={open === 'short'}
        onClose={close}
        title="Cancel without credit?"
        description="The place is freed but the credit is not returned."
      >
        <DialogActions onClose={close} cancel="Keep booking">
          <Button variant="danger" onClick={close}>
            Cancel booking
          </Button>
        </DialogActions>
      </Dialog>
      <Dialog open={open === 'tall'} onClose={close} title="A tall dialog">
        <ul className="mt-5">
          {FACTS.map((fact) => (
            <li key={fact} className="border-b border-line py-2">
              {fact}
            </li>
          ))}
        </ul>
        <DialogActions>
          <Button onClick={close}>Done</Button>
        </DialogActions>
      </Dialog>
    </div>
  )
}

/** An information toast and a warning. Only the last one stays. */
function Toasts() {
  return (
    <div className="flex flex-wrap gap-3">
      <Button
        variant="secondary"
        onClick={() => toast({ title: 'Success', description: 'Booking cancelled successfully' })}
      >
        Show a toast
      </Button>
      <Button
        variant="secondary"
        onClick={() => toast({ title: 'Booking Failed', description: 'This class is fully booked.', tone: 'error' })}
      >
        Show an error
      </Button>
    </div>
  )
}
