import { Link } from 'react-router'
import { useSession } from '../session.ts'
import { ChangePassword } from './change-password.tsx'
import { WaysIn } from './ways-in.tsx'
import { WhereSignedIn } from './where-signed-in.tsx'

/** How somebody gets in: where they are signed in, their password, passkeys and what is beside them. `back`: where the page was opened. */
export default function YourSignIn({ back }: { back: { to: string; label: string } }) {
  const { user } = useSession()
  if (!user) return null
  return (
    <div className="max-w-[760px]">
      <Link to={back.to} className="link inline-flex min-h-11 items-center">
        {back.label}
      </Link>
      <h1 className="mt-2 font-serif text-[2.25rem]/[1.05] tracking-[-0.01em]">Your sign-in</h1>
      <WhereSignedIn />
      <ChangePassword user={user} />
      <WaysIn />
    </div>
  )
}
