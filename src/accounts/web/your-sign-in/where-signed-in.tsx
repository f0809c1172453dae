import { useQuery } from '@tanstack/react-query'
import { formatInstant, formatInstantDate } from '#foundation/instants.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { QueryView } from '#ui/query-view.tsx'
import type { UserSession } from '../../contract-sessions.ts'
import { accountsApi } from '../api.ts'
import { LogoutLink } from '../logout.tsx'
import { deviceName, useEndAllSessions, useEndOtherSessions, useEndSession } from './sessions.ts'

const METHODS: Record<UserSession['method'], string> = {
  sign_up: 'by signing up',
  password: 'with a password',
  mailed_link: 'with a mailed link',
  passkey: 'with a passkey',
  second_factor: 'with a password and a second step',
}

/** The browsers somebody is signed in with, this one first, each with a way to sign it out. */
export function WhereSignedIn() {
  const sessions = useQuery(accountsApi.listSessions.queryOptions())
  return (
    <section aria-labelledby="where-signed-in" className="mt-10">
      <h2 id="where-signed-in" className="title">
        Where you are signed in
      </h2>
      <p className="mt-2 max-w-[60ch] text-ink-soft">
        Is there a browser you do not know? Sign it out, and change your password.
      </p>
      <QueryView query={sessions} failed="Where you are signed in could not be loaded.">
        {(all) => <Sessions all={all} />}
      </QueryView>
    </section>
  )
}

function Sessions({ all }: { all: UserSession[] }) {
  const endOne = useEndSession()
  const endOthers = useEndOtherSessions()
  const endAll = useEndAllSessions()
  return (
    <>
      <ul className="mt-5 divide-y divide-line border-y border-line">
        {all.map((session) => (
          <li key={session.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4">
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-x-3 gap-y-2 font-medium">
                {deviceName(session)}
                {session.isCurrent && <Badge tone="ok">This device</Badge>}
              </p>
              <p className="mt-1 text-[0.9375rem]/[1.45] text-ink-mute">
                {session.isCurrent ? 'In use now' : `Last used ${formatInstant(session.lastUsedAt)}`} · signed in{' '}
                {METHODS[session.method]} on {formatInstantDate(session.beganAt)}
              </p>
            </div>
            {session.isCurrent ? (
              <LogoutLink className={buttonClass({ variant: 'secondary', small: true })}>Sign out</LogoutLink>
            ) : (
              <Button
                variant="secondary"
                small
                aria-label={`Sign out ${deviceName(session)}`}
                busy={endOne.isPending && endOne.variables?.id === session.id}
                onClick={() => endOne.mutate(session)}
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      {all.length > 1 && (
        <div className="mt-5 flex flex-wrap gap-3">
          <Button variant="secondary" small busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
            Sign out everywhere else
          </Button>
          <Button variant="secondary" small busy={endAll.isPending} onClick={() => endAll.mutate()}>
            Sign out everywhere
          </Button>
        </div>
      )}
    </>
  )
}
