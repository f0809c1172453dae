import { type ComponentProps, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { PasswordField } from '#ui/password-field.tsx'
import { PASSWORD_MINIMUM } from '../rules.ts'

type Meter = typeof import('./password-strength.ts')

/** In the meter's order, from 0 to 4. It advises; it never refuses. */
const WORDS = ['Very easy to guess', 'Easy to guess', 'Fair', 'Good', 'Strong'] as const
const COLOURS = ['bg-err', 'bg-err', 'bg-warn', 'bg-ok', 'bg-ok'] as const

/**
 * A field for a new password, with a meter that arrives once something is typed.
 *
 * @param props.typed what stands in the field
 * @param props.known what else was typed that a guesser might know
 */
export function NewPasswordField({
  typed,
  known = [],
  ...field
}: ComponentProps<typeof PasswordField> & { typed: string; known?: readonly string[] }) {
  const [meter, setMeter] = useState<Meter>()
  // Without a meter (the network is down) the field is a field like any other.
  useEffect(() => {
    if (typed && !meter) import('./password-strength.ts').then(setMeter, () => {})
  }, [typed, meter])
  return (
    <PasswordField
      {...field}
      autoComplete="new-password"
      help={<StrengthLine meter={meter} password={useDeferredValue(typed)} known={known} />}
    />
  )
}

/**
 * Four thin bars and a sentence: what is asked for and, while something is typed, what it is worth. Room is kept for the longest
 * advice, two lines or three on a phone, so that nothing moves.
 */
function StrengthLine({
  meter,
  password,
  known,
}: {
  meter: Meter | undefined
  password: string
  known: readonly string[]
}) {
  const knownText = known.join('\n')
  const strength = useMemo(
    () => (meter && password ? meter.strengthOf(password, knownText.split('\n')) : undefined),
    [meter, password, knownText],
  )
  const lit = strength ? Math.max(1, strength.score) : 0
  return (
    <span className="block min-h-[75px] sm:min-h-[54px]">
      <span aria-hidden className="mb-2 grid grid-cols-4 gap-1.5">
        {[1, 2, 3, 4].map((bar) => (
          <span
            key={bar}
            className={`h-1 rounded-full transition-colors duration-300 ${strength && bar <= lit ? COLOURS[strength.score] : 'bg-sand'}`}
          />
        ))}
      </span>
      {(!strength || password.length < PASSWORD_MINIMUM) && <>At least {PASSWORD_MINIMUM} characters. </>}
      <span role="status">
        {strength && (
          <>
            <span className="sr-only">Password strength: </span>
            <span className="font-medium text-ink-soft">{WORDS[strength.score]}.</span>{' '}
            {password.length >= PASSWORD_MINIMUM && strength.score < 3 && strength.advice}
          </>
        )}
      </span>
    </span>
  )
}
