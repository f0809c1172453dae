import YourSignIn from '#accounts/web/your-sign-in/your-sign-in.tsx'

const BACK = { to: '/admin', label: 'Back to Admin' }

/** Where an admin is signed in, and their password. */
export default function MySignIn() {
  return <YourSignIn back={BACK} />
}
