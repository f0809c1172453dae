import share from '@lucide/icons/icons/share'
import squarePlus from '@lucide/icons/icons/square-plus'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { NotificationChoice } from '#push/contract.ts'
import { pushApi } from '#push/web/api.ts'
import { abilityHere, isOnHere, switchOff, switchOn } from '#push/web/this-browser.ts'
import { Tick } from '#ui/choices.tsx'
import { Icon } from '#ui/icon.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { toast, toastError } from '#ui/toast.ts'
import { useMemberMutation } from '../member-mutation.ts'
import { useSession } from '../session.ts'

type Kind = NotificationChoice['off'][number]
const KINDS: Record<Kind, string> = {
  place_offered: 'A place on the waiting list is offered to me',
  class_moved: 'The studio moves my class',
  class_cancelled: 'The studio cancels my class',
  teacher_changed: 'Another teacher takes my class within two days',
  class_reminder: 'The day before a class',
  hold_ending: 'A place that I hold for a companion is about to end',
}

/** Switches notifications on for this browser, and each kind of them for all of the member's. */
export function Notifications() {
  const choice = useQuery(pushApi.readNotifications.queryOptions())
  return (
    <section aria-labelledby="notifications" className="mt-12">
      <h2 id="notifications" className="title">
        Notifications on this device
      </h2>
      <QueryView query={choice} failed="Your notifications could not be loaded.">
        {(loaded) => <Switches choice={loaded} />}
      </QueryView>
    </section>
  )
}

const REASONS = {
  no: 'This browser cannot show notifications. We email you as always.',
  blocked:
    'Notifications from this site are blocked in your browser. Allow them in its settings for this site, then come back to this page.',
}

function Switches({ choice }: { choice: NotificationChoice }) {
  const ability = abilityHere()
  if (ability === 'home_screen') return <OnHomeScreen />
  if (ability !== 'yes') return <p className="mt-2 max-w-[60ch] text-ink-soft">{REASONS[ability]}</p>
  return (
    <div className="mt-4 max-w-[560px]">
      <ThisBrowser choice={choice} />
      <fieldset className="mt-5">
        <legend className="font-medium">Notify me when, on all my devices</legend>
        <Kinds choice={choice} />
      </fieldset>
    </div>
  )
}

const HERE = ['push', 'here'] as const

function ThisBrowser({ choice }: { choice: NotificationChoice }) {
  const { user } = useSession()
  const queries = useQueryClient()
  const here = useQuery({ queryKey: [...HERE, choice.endpoint], queryFn: () => isOnHere(choice) })
  const change = useMemberMutation({
    mutationFn: async (isOn: boolean) => {
      if (!isOn) return await switchOff()
      if (!user || !(await switchOn(user.id, choice.publicKey))) throw new Error('You have not allowed notifications.')
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: HERE }),
    onDone: (_, isOn) =>
      toast({ title: 'Saved', description: isOn ? 'We’ll notify you on this device.' : 'Notifications are off here.' }),
    onError: (error) => toastError(error, `${error.message} Nothing has changed.`),
  })
  if (here.data === undefined) return null
  return (
    <Tick
      label="Notify me on this device"
      help="It comes beside our emails, for what is urgent; at night only if your class is within six hours. It says what and when, and names nobody."
      checked={change.isPending ? change.variables : here.data}
      disabled={change.isPending}
      onChange={({ target }) => change.mutate(target.checked)}
    />
  )
}

function Kinds({ choice }: { choice: NotificationChoice }) {
  const change = useMemberMutation({
    mutationFn: (off: Kind[]) => pushApi.chooseNotifications.call({ body: { off } }),
    onError: (error) => toastError(error, 'Your choice could not be saved. Please try again.'),
  })
  const off: readonly Kind[] = change.isPending ? change.variables : choice.off
  return (Object.keys(KINDS) as Kind[]).map((kind) => (
    <Tick
      key={kind}
      label={KINDS[kind]}
      checked={!off.includes(kind)}
      disabled={change.isPending}
      onChange={({ target }) => change.mutate(target.checked ? off.filter((one) => one !== kind) : [...off, kind])}
    />
  ))
}

/** iPhones and iPads show notifications of sites on the home screen only. */
function OnHomeScreen() {
  return (
    <>
      <p className="mt-2 max-w-[60ch] text-ink-soft">
        An iPhone or iPad shows notifications only of sites on its home screen. Put the studio there, open it from
        there, and come back to this page:
      </p>
      <ol className="mt-4 grid max-w-[30rem] gap-3">
        <li className="flex items-center gap-4 rounded-card bg-sage-tint px-5 py-3">
          <Icon of={share} size={28} />
          <span>1. Tap Share, below or above the page.</span>
        </li>
        <li className="flex items-center gap-4 rounded-card bg-sage-tint px-5 py-3">
          <Icon of={squarePlus} size={28} />
          <span>2. Tap Add to Home Screen, then Add.</span>
        </li>
      </ol>
    </>
  )
}
