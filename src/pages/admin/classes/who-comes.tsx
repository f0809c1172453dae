import { Link } from 'react-router'
import type { ClassForAdmin } from '#booking/contract-classes.ts'

type Named = { id: string; firstName: string; lastName: string }

/** Who has booked a class and who waits for it, each leading to the member's page. */
export function WhoComes({ found }: { found: ClassForAdmin }) {
  const { bookings, waiting, class: c } = found
  return (
    <dl className="mt-5 grid gap-3 rounded-row bg-linen p-4 text-[0.9375rem]/[1.45]">
      <div>
        <dt className="text-ink-mute">
          Booked {c.bookedCount}/{c.maxParticipants}
        </dt>
        <dd>{bookings.length > 0 ? <Names of={bookings.map(({ user }) => user)} /> : 'Nobody yet'}</dd>
      </div>
      {waiting.length > 0 && (
        <div>
          <dt className="text-ink-mute">Waiting list</dt>
          <dd>
            <Names of={waiting.map(({ user }) => user)} />
          </dd>
        </div>
      )}
    </dl>
  )
}

function Names({ of }: { of: Named[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4">
      {of.map((user) => (
        <li key={user.id}>
          <Link to={`/admin?tab=Users&user=${user.id}`} className="link inline-flex min-h-8 items-center">
            {user.firstName} {user.lastName}
          </Link>
        </li>
      ))}
    </ul>
  )
}
