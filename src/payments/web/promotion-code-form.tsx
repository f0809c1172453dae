import type { FormEvent } from 'react'
import { errorMessage } from '#foundation/call.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/field.tsx'
import type { useQuote } from './checkout.ts'

/** The field for a promotion code. What was typed stays with the line that opens it. */
export default function PromotionCodeForm({
  quote: { apply, error, isChecking },
  typed,
  onType,
  isOpen,
}: {
  quote: ReturnType<typeof useQuote>
  typed: string
  onType: (typed: string) => void
  isOpen: boolean
}) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed.trim()) apply(typed)
  }
  return (
    <form aria-label="Promotion code" onSubmit={submit} className="mb-6 grid w-full gap-3">
      <TextField
        label="Code"
        value={typed}
        onChange={({ target }) => onType(target.value)}
        error={error ? errorMessage(error, 'The code could not be checked.') : undefined}
        autoComplete="off"
        autoCapitalize="characters"
        maxLength={64}
        autoFocus={isOpen}
      />
      <Button type="submit" variant="secondary" small busy={isChecking} className="justify-self-start">
        Use code
      </Button>
    </form>
  )
}
