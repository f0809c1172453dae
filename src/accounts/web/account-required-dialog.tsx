import { useNavigate } from 'react-router'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'

/** `kept`: what waits for the guest after the login. */
export default function AccountRequiredDialog({ kept, onClose }: { kept: string | undefined; onClose: () => void }) {
  const navigate = useNavigate()
  const go = (to: string) => navigate(to, { replace: true })
  return (
    <Dialog
      onClose={onClose}
      title="Account Required"
      description="To purchase class passes and book sessions, you'll need to create an account... This allows us to manage your bookings and track your class credits."
    >
      {kept && <p className="mt-3">We’ll remember {kept}: after you log in, it is one tap away.</p>}
      <DialogActions onClose={onClose}>
        <Button variant="secondary" onClick={() => go('/auth')}>
          Log In
        </Button>
        <Button onClick={() => go('/auth?tab=register')}>Create Account</Button>
      </DialogActions>
    </Dialog>
  )
}
