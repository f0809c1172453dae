import { useState } from 'react'
import { studio } from '#studio.ts'
import { TextLink } from '#ui/button.tsx'
import { Tick } from '#ui/choices.tsx'

/** The state of the two ticks that every booking needs. */
export function useAgreements() {
  const [policy, setPolicy] = useState(false)
  const [terms, setTerms] = useState(false)
  return { policy, setPolicy, terms, setTerms, areGiven: policy && terms }
}

/** The texts are agreed with the studio. */
export function Agreements({ policy, setPolicy, terms, setTerms }: ReturnType<typeof useAgreements>) {
  return (
    <>
      <Tick
        large
        checked={policy}
        onChange={(event) => setPolicy(event.target.checked)}
        label={`I understand the cancellation policy: bookings cancelled within ${studio.policies.lateCancellationMinutes} minutes of the scheduled time are charged in full. If you cancel earlier, the credit goes back to your pass.`}
      />
      <Tick
        large
        checked={terms}
        onChange={(event) => setTerms(event.target.checked)}
        label={
          <>
            I agree to the{' '}
            <TextLink to="/terms-and-conditions" target="_blank">
              terms and conditions
            </TextLink>
          </>
        }
      />
    </>
  )
}
